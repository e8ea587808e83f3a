import { SpmliteError } from "./errors.js";
import { type Ids, toIds } from "./ids.js";
import type { Runtime } from "./runtime.js";

/** @internal Makes a call on the tokenizer's runtime, or throws as the tokenizer does. */
export type Call = <Result>(call: (runtime: Runtime) => Result) => Result;

interface Handle {
  readonly call: Call;
  readonly decoder: number;
  readonly identity: object;
}

// In an instance that is gone there is nothing to give back.
function release({ call, decoder, identity }: Handle): void {
  try {
    call((runtime) => {
      if (runtime.identity === identity) runtime.destroyDecoder(decoder);
    });
  } catch (error) {
    if (!(error instanceof SpmliteError && error.code === "FREED")) throw error;
  }
}

const unreferenced = new FinalizationRegistry(release);

/**
 * Decoding as ids come in, such as from a model that generates. What `add` and
 * `finish` give, joined, is what `decode` gives for all the ids: a character whose
 * bytes have not all come is held back. (Of a model with a denormalizer all is: that
 * rewrites the text as a whole.)
 *
 * One that is no longer referred to gives its memory back by itself; `free()` does
 * so at once, and `using` calls it. It ends with its tokenizer.
 */
export class StreamingDecoder {
  /** @internal What is minified keeps this name. */
  static readonly name = "StreamingDecoder";
  #handle: Handle | undefined;

  /** @internal For `Tokenizer.streamingDecoder`. */
  constructor(call: Call) {
    this.#handle = call((runtime) => ({
      call,
      decoder: runtime.createDecoder(),
      identity: runtime.identity,
    }));
    unreferenced.register(this, this.#handle, this);
  }

  /**
   * Takes the next id, or several; returns the text that has become final by them,
   * often an empty one. Where an id is out of range, none is taken.
   */
  add(ids: number | Ids): string {
    const checked = toIds(typeof ids === "number" ? [ids] : ids);
    return this.#call((runtime, decoder) =>
      runtime.addToDecoder(decoder, checked),
    );
  }

  /** Ends the text; returns what was held back. The decoder is then as new. */
  finish(): string {
    return this.#call((runtime, decoder) => runtime.finishDecoder(decoder));
  }

  /** Gives the memory back. Every later call but this one throws `FREED`. */
  free(): void {
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    unreferenced.unregister(this);
    release(handle);
  }

  // In an engine without Symbol.dispose this is a method called "undefined".
  [Symbol.dispose](): void {
    this.free();
  }

  #call<Result>(call: (runtime: Runtime, decoder: number) => Result): Result {
    const handle = this.#handle;
    if (handle === undefined)
      throw new SpmliteError("FREED", "this decoder was freed");
    return handle.call((runtime) => {
      if (runtime.identity === handle.identity)
        return call(runtime, handle.decoder);
      throw new SpmliteError(
        "FREED",
        "this decoder was lost when memory ran out: make a new one",
      );
    });
  }
}
