/// <reference lib="esnext.disposable" preserve="true" />

import { convert } from "./converter.js";
import { SpmliteError } from "./errors.js";
import { kindOf } from "./kind.js";
import { instantiate, runtimeModule } from "./modules.js";
import { OffsetUnit, Runtime } from "./runtime.js";
import { type ModelSource, readSource } from "./source.js";

/** PieceType of core/schema/sentencepiece_lite.fbs. */
export type PieceType =
  | "NORMAL"
  | "UNKNOWN"
  | "CONTROL"
  | "USER_DEFINED"
  | "UNUSED"
  | "BYTE";

/** ModelType of core/schema/sentencepiece_lite.fbs. */
export type ModelType = "UNIGRAM" | "BPE" | "WORD" | "CHAR";

// By the number that the schema gives them; both enumerations start at 1.
const PIECE_TYPES = [
  "NORMAL",
  "UNKNOWN",
  "CONTROL",
  "USER_DEFINED",
  "UNUSED",
  "BYTE",
] as const;
const MODEL_TYPES = ["UNIGRAM", "BPE", "WORD", "CHAR"] as const;

/**
 * The ids of a text and where they lie in it. Id `i` spans [begin, end) with
 * begin = `offsets[2 * i]` and end = `offsets[2 * i + 1]`. Of the bytes that a
 * fallback spells one character with, the last has the whole span and the others
 * an empty one before it.
 */
export interface EncodingWithOffsets {
  /** One for each token. */
  readonly ids: Int32Array;
  /** Two for each token, in UTF-16 units of the string, as `text.slice` counts. */
  readonly offsets: Int32Array;
  /** Two for each token, in bytes of the string as UTF-8. */
  readonly byteOffsets: Int32Array;
}

/**
 * A SentencePiece model, loaded. The ids are those of sentencepiece 0.2.3.
 *
 * A tokenizer that is no longer referred to gives its memory back by itself;
 * `free()` does so at once, and `using` calls it.
 */
export class Tokenizer {
  #runtime: Runtime | undefined;
  #whyGone = "";

  private constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /**
   * Loads a model, `.spm.fb` or `.model`; its content tells which. A `.model` is
   * converted first, by a second module that is loaded for that alone.
   *
   * Bytes are copied, and may change afterwards.
   */
  static async load(source: ModelSource): Promise<Tokenizer> {
    const [model, module] = await Promise.all([
      readSource(source),
      runtimeModule(),
    ]);
    const blob =
      kindOf(model) === "protobuf" ? await convert(model) : model.bytes;
    return new Tokenizer(
      new Runtime(module, await instantiate(module), blob, model.name),
    );
  }

  /** Text to ids. A lone surrogate counts as U+FFFD, as `TextEncoder` has it. */
  encode(text: string): Int32Array {
    requireString(text);
    return this.#call((runtime) => runtime.encode(text));
  }

  /** Text to ids and the span of each. */
  encodeWithOffsets(text: string): EncodingWithOffsets {
    requireString(text);
    return this.#call((runtime) => {
      const { ids, spans } = runtime.encodeWithSpans(text, OffsetUnit.UTF16);
      const byteOffsets = runtime.encodeWithSpans(text, OffsetUnit.BYTE).spans;
      return { ids, offsets: spans, byteOffsets };
    });
  }

  /** Ids to text. */
  decode(ids: ArrayLike<number> | Iterable<number>): string {
    const checked = ids instanceof Int32Array ? ids : toIds(ids);
    return this.#call((runtime) => runtime.decode(checked));
  }

  /** The text as the model sees it. */
  normalize(text: string): string {
    requireString(text);
    return this.#call((runtime) => runtime.normalize(text));
  }

  /** The piece of an id. */
  idToPiece(id: number): string {
    return this.#call((runtime) => runtime.idToPiece(toId(id)));
  }

  /** The id of a piece; `unkId` for what is not one. */
  pieceToId(piece: string): number {
    requireString(piece);
    return this.#call((runtime) => runtime.pieceToId(piece));
  }

  /** The score of an id. */
  score(id: number): number {
    return this.#call((runtime) => {
      return runtime.score(toId(id));
    });
  }

  /** The type of an id's piece. */
  type(id: number): PieceType {
    return this.#call((runtime) => {
      return PIECE_TYPES[runtime.type(toId(id)) - 1] ?? "NORMAL";
    });
  }

  /** The number of pieces; ids are smaller. */
  get vocabSize(): number {
    return this.#call((runtime) => runtime.vocabSize());
  }

  get modelType(): ModelType {
    return this.#call(
      (runtime) => MODEL_TYPES[runtime.modelType() - 1] ?? "UNIGRAM",
    );
  }

  /** The id of the unknown piece, -1 where the model has none. */
  get unkId(): number {
    return this.#call((runtime) => runtime.unkId());
  }

  /** The id that begins a sequence, -1 where the model has none. */
  get bosId(): number {
    return this.#call((runtime) => runtime.bosId());
  }

  /** The id that ends a sequence, -1 where the model has none. */
  get eosId(): number {
    return this.#call((runtime) => runtime.eosId());
  }

  /** The id that pads a sequence, -1 where the model has none. */
  get padId(): number {
    return this.#call((runtime) => runtime.padId());
  }

  /** Gives the memory back. Every later call but this one throws `FREED`. */
  free(): void {
    this.#runtime = undefined;
    this.#whyGone = "this tokenizer was freed";
  }

  // In an engine without Symbol.dispose this is a method called "undefined".
  [Symbol.dispose](): void {
    this.free();
  }

  #call<Result>(call: (runtime: Runtime) => Result): Result {
    const runtime = this.#runtime;
    if (runtime === undefined) throw new SpmliteError("FREED", this.#whyGone);
    try {
      return call(runtime);
    } catch (error) {
      if (error instanceof SpmliteError) throw error;
      this.#rebuildAfterTrap(runtime);
      throw runtime.explain(error);
    }
  }

  // The instance is in an unknown state, but the model in its memory is as it was.
  #rebuildAfterTrap(runtime: Runtime): void {
    try {
      this.#runtime = runtime.rebuilt();
    } catch {
      this.#runtime = undefined;
      this.#whyGone =
        "this tokenizer was lost when memory ran out: load it again";
    }
  }
}

function requireString(text: unknown): asserts text is string {
  if (typeof text === "string") return;
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `a string is needed, not ${typeof text}`,
  );
}

function toIds(values: ArrayLike<number> | Iterable<number>): Int32Array {
  if (typeof values === "object" && values !== null)
    return Int32Array.from(Array.from(values, toId));
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `a list of ids is needed, not ${typeof values}`,
  );
}

/** The value, once it is an integer that 32 bits hold; the module looks at its range. */
function toId(value: number, position?: number): number {
  if (typeof value === "number" && (value | 0) === value) return value;
  const where = position === undefined ? "" : ` at position ${position}`;
  if (Number.isInteger(value)) {
    throw new SpmliteError(
      "OUT_OF_RANGE",
      `id ${value}${where} is out of range`,
    );
  }
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `${String(value)}${where} is not an id: an integer is needed`,
  );
}
