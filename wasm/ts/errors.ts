/**
 * What went wrong, for programs:
 * - `SOURCE`: the model, or the package's own .wasm, could not be read;
 * - `INTEGRITY`: what was read does not have the digest that was asked for;
 * - `INVALID_MODEL`: what was read is no model, or a damaged one;
 * - `INVALID_ARGUMENT`: a value of the wrong type or size, or a call that the model
 *   does not allow;
 * - `OUT_OF_RANGE`: an id outside [0, vocabSize);
 * - `FREED`: a tokenizer or a decoder was used after `free()`, or a decoder after
 *   memory ran out;
 * - `MEMORY`: more memory was refused; the tokenizer stays usable;
 * - `INTERNAL`: a fault of this package; please report it.
 */
export type SpmliteErrorCode =
  | "SOURCE"
  | "INTEGRITY"
  | "INVALID_MODEL"
  | "INVALID_ARGUMENT"
  | "OUT_OF_RANGE"
  | "FREED"
  | "MEMORY"
  | "INTERNAL";

/**
 * Every error that this package throws: one sentence, and a `code` for programs. (What a
 * signal aborts rejects with the signal's reason, as `fetch` does.)
 */
export class SpmliteError extends Error {
  /** @internal What is minified keeps this name. */
  static override readonly name = "SpmliteError";
  readonly code: SpmliteErrorCode;

  // Of the class, not of each error: `stack` begins with the name that is there before a
  // constructor runs.
  override get name(): "SpmliteError" {
    return SpmliteError.name;
  }

  constructor(code: SpmliteErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
