import { SpmliteError } from "./errors.js";
import { type Ids, toIds } from "./ids.js";
import type { DecoderCall } from "./worker_messages.js";
import type { WorkerLike, WorkerPool } from "./worker_pool.js";

interface Handle {
  readonly pool: WorkerPool;
  readonly worker: WorkerLike | undefined;
  readonly decoder: number;
}

function ask(
  { pool, worker, decoder }: Handle,
  call: DecoderCall["call"],
): Promise<unknown> {
  return pool.ask({ ask: "decoder", decoder, call }, undefined, worker);
}

// Where the workers are gone, so is the decoder.
function end(handle: Handle): void {
  ask(handle, "end").catch(() => {});
}

const unreferenced = new FinalizationRegistry(end);
let decoders = 0;

/**
 * The same as `StreamingDecoder` of a tokenizer in workers: one of them keeps it, and each
 * call gives a promise. Calls are answered in order, and need not be awaited one by one.
 */
export class WorkerStreamingDecoder {
  /** @internal What is minified keeps this name. */
  static readonly name = "WorkerStreamingDecoder";
  #handle: Handle | undefined;

  /** @internal For `WorkerTokenizer.streamingDecoder`. */
  constructor(pool: WorkerPool) {
    this.#handle = { pool, worker: pool.pick(), decoder: ++decoders };
    // What is asked next fails as this does.
    ask(this.#handle, "begin").catch(() => {});
    unreferenced.register(this, this.#handle, this);
  }

  /** Takes the next id, or several; gives the text that has become final by them. */
  async add(ids: number | Ids): Promise<string> {
    return this.#ask(toIds(typeof ids === "number" ? [ids] : ids));
  }

  /** Ends the text; gives what was held back. The decoder is then as new. */
  async finish(): Promise<string> {
    return this.#ask("finish");
  }

  /** Gives the memory back. Every later call but this one rejects with `FREED`. */
  free(): void {
    if (this.#handle === undefined) return;
    unreferenced.unregister(this);
    end(this.#handle);
    this.#handle = undefined;
  }

  // In an engine without Symbol.dispose this is a method called "undefined".
  [Symbol.dispose](): void {
    this.free();
  }

  #ask(call: DecoderCall["call"]): Promise<string> {
    if (this.#handle === undefined)
      throw new SpmliteError("FREED", "this decoder was freed");
    return ask(this.#handle, call) as Promise<string>;
  }
}
