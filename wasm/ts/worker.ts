// spmlite/worker: a tokenizer off the main thread. Importing it starts nothing.

import "./web.js";
import { modulesFor } from "./converter.js";
import type { ControlOptions, EncodeOptions } from "./encode_options.js";
import { SpmliteError } from "./errors.js";
import { type Ids, toIds } from "./ids.js";
import type { OffsetUnit, Segmentation, TextPart } from "./runtime.js";
import type { SampleOptions } from "./sampling.js";
import type { ModelSource, NamedBytes } from "./source.js";
import {
  decodeStream,
  type EncodeStreamOptions,
  encodeStream,
} from "./streams.js";
import {
  type DecodingWithOffsets,
  type EncodeOffsetOptions,
  type EncodingWithOffsets,
  type LoadOptions,
  type ModelType,
  moduleFor,
  type PieceType,
  readModel,
  type SplitOptions,
} from "./tokenizer.js";
import { WorkerStreamingDecoder } from "./worker_decoder.js";
import type {
  Arguments,
  Method,
  ModelFacts,
  Result,
} from "./worker_messages.js";
import { type WorkerLike, WorkerPool } from "./worker_pool.js";

export { SpmliteError, type SpmliteErrorCode } from "./errors.js";
export type { WorkerStreamingDecoder } from "./worker_decoder.js";

export interface WorkerLoadOptions extends LoadOptions {
  /** How many workers share the calls; 1 by default. Each has the model in memory. */
  readonly workers?: number;
  /**
   * Starts a worker with the script `spmlite/worker-thread`, as an ES module; for bundlers
   * that do not find it by themselves.
   */
  readonly createWorker?: () => Worker;
}

export interface Abortable {
  /**
   * Takes the call back, which then rejects with the signal's reason. A worker that has
   * begun with it finishes it, and nobody hears.
   */
  readonly signal?: AbortSignal;
}

const unreferenced = new FinalizationRegistry((pool: WorkerPool) =>
  pool.end("this tokenizer is no longer referred to"),
);

/**
 * A tokenizer in workers: the calls of `Tokenizer`, each giving a promise. Several
 * workers share one compiled module, and `encodeBatch` gives each a part of the texts.
 *
 * One that is no longer referred to ends its workers by itself; `free()` does so at once.
 */
export class WorkerTokenizer {
  /** @internal What is minified keeps this name. */
  static readonly name = "WorkerTokenizer";
  readonly #pool: WorkerPool;
  readonly #facts: ModelFacts;

  private constructor(pool: WorkerPool, facts: ModelFacts) {
    this.#pool = pool;
    this.#facts = facts;
    unreferenced.register(this, pool, this);
  }

  /** As `Tokenizer.load`; what is to be converted is so in a worker too. */
  static async load(
    source: ModelSource,
    { workers = 1, createWorker, ...options }: WorkerLoadOptions = {},
  ): Promise<WorkerTokenizer> {
    if (!Number.isInteger(workers) || workers < 1)
      throw new SpmliteError(
        "INVALID_ARGUMENT",
        `workers must be an integer of at least 1, not ${workers}`,
      );
    const create = (createWorker ?? startWorker) as () => WorkerLike;
    const pool = new WorkerPool(Array.from({ length: workers }, create));
    try {
      const [{ model, keep }, module] = await Promise.all([
        readModel(source, options, (read) => convertIn(pool, read)),
        moduleFor(options).get(),
      ]);
      const [facts] = await pool.askEach({ ask: "create", module, model });
      await keep();
      options.signal?.throwIfAborted();
      return new WorkerTokenizer(pool, facts as ModelFacts);
    } catch (error) {
      pool.end("this tokenizer was not loaded");
      throw error;
    }
  }

  encode(
    text: string,
    options: EncodeOptions & Abortable = {},
  ): Promise<Int32Array> {
    const { signal, ...rest } = options;
    return this.#call("encode", [text, rest], signal);
  }

  /** The texts are shared among the workers. */
  async encodeBatch(
    texts: Iterable<string>,
    options: EncodeOptions & Abortable = {},
  ): Promise<Int32Array[]> {
    const { signal, ...rest } = options;
    const all = [...texts];
    const share = Math.max(1, Math.ceil(all.length / this.#pool.size));
    const calls: Promise<Int32Array[]>[] = [];
    for (let at = 0; at < all.length; at += share) {
      const some = all.slice(at, at + share);
      calls.push(this.#call("encodeBatch", [some, rest], signal));
    }
    return (await Promise.all(calls)).flat();
  }

  encodeWithOffsets(
    text: string,
    options: EncodeOffsetOptions & Abortable = {},
  ): Promise<EncodingWithOffsets> {
    const { signal, ...rest } = options;
    return this.#call("encodeWithOffsets", [text, rest], signal);
  }

  count(
    text: string,
    options: ControlOptions & Abortable = {},
  ): Promise<number> {
    const { signal, ...rest } = options;
    return this.#call("count", [text, rest], signal);
  }

  isWithinLimit(
    text: string,
    maxTokens: number,
    options: ControlOptions & Abortable = {},
  ): Promise<boolean> {
    const { signal, ...rest } = options;
    return this.#call("isWithinLimit", [text, maxTokens, rest], signal);
  }

  truncate(
    text: string,
    maxTokens: number,
    options: ControlOptions & Abortable = {},
  ): Promise<string> {
    const { signal, ...rest } = options;
    return this.#call("truncate", [text, maxTokens, rest], signal);
  }

  split(
    text: string,
    maxTokens: number,
    options: SplitOptions & Abortable = {},
  ): Promise<TextPart[]> {
    const { signal, ...rest } = options;
    return this.#call("split", [text, maxTokens, rest], signal);
  }

  async decode(ids: Ids, { signal }: Abortable = {}): Promise<string> {
    return this.#call("decode", [toIds(ids)], signal);
  }

  async decodeBytes(ids: Ids, { signal }: Abortable = {}): Promise<Uint8Array> {
    return this.#call("decodeBytes", [toIds(ids)], signal);
  }

  async decodeWithOffsets(
    ids: Ids,
    { signal, ...rest }: { readonly unit?: OffsetUnit } & Abortable = {},
  ): Promise<DecodingWithOffsets> {
    return this.#call("decodeWithOffsets", [toIds(ids), rest], signal);
  }

  /** See `Tokenizer.encodeStream`; the workers share the texts. */
  encodeStream(
    options: EncodeStreamOptions & Abortable = {},
  ): TransformStream<string, Int32Array> {
    const { lines: _, ...rest } = options;
    const encode = (text: string) => this.encode(text, rest);
    return encodeStream(encode, options, this.#pool.size);
  }

  /** A stream from ids, one or several at a time, to the text that they make together. */
  decodeStream(): TransformStream<number | Ids, string> {
    return decodeStream(this.streamingDecoder());
  }

  /** Decoding as ids come in, by one of the workers. */
  streamingDecoder(): WorkerStreamingDecoder {
    return new WorkerStreamingDecoder(this.#pool);
  }

  sample(
    text: string,
    options: SampleOptions & Abortable = {},
  ): Promise<Int32Array> {
    const { signal, ...rest } = options;
    return this.#call("sample", [text, rest], signal);
  }

  nbest(
    text: string,
    size: number,
    { signal }: Abortable = {},
  ): Promise<Segmentation[]> {
    return this.#call("nbest", [text, size], signal);
  }

  normalize(text: string, { signal }: Abortable = {}): Promise<string> {
    return this.#call("normalize", [text], signal);
  }

  idToPiece(id: number): Promise<string> {
    return this.#call("idToPiece", [id]);
  }

  pieceToId(piece: string): Promise<number> {
    return this.#call("pieceToId", [piece]);
  }

  score(id: number): Promise<number> {
    return this.#call("score", [id]);
  }

  type(id: number): Promise<PieceType> {
    return this.#call("type", [id]);
  }

  /** The number of pieces; ids are smaller. */
  get vocabSize(): number {
    return this.#facts.vocabSize;
  }

  get modelType(): ModelType {
    return this.#facts.modelType;
  }

  /** The special ids, -1 where the model has none. */
  get unkId(): number {
    return this.#facts.unkId;
  }
  get bosId(): number {
    return this.#facts.bosId;
  }
  get eosId(): number {
    return this.#facts.eosId;
  }
  get padId(): number {
    return this.#facts.padId;
  }

  /** Ends the workers. What is not answered yet, and every later call, rejects with `FREED`. */
  free(): void {
    unreferenced.unregister(this);
    this.#pool.end("this tokenizer was freed");
  }

  // In an engine without Symbol.dispose this is a method called "undefined".
  [Symbol.dispose](): void {
    this.free();
  }

  #call<Name extends Method>(
    method: Name,
    given: Arguments<Name>,
    signal?: AbortSignal,
  ): Promise<Result<Name>> {
    const question = { ask: "call", method, arguments: given } as const;
    return this.#pool.ask(question, signal) as Promise<Result<Name>>;
  }
}

async function convertIn(
  pool: WorkerPool,
  model: NamedBytes,
): Promise<NamedBytes> {
  const needed = modulesFor(model);
  if (needed.length === 0) return model;
  const modules = await Promise.all(needed.map((module) => module.get()));
  return (await pool.ask({ ask: "convert", modules, model })) as NamedBytes;
}

interface Threads {
  process?: {
    getBuiltinModule?(name: "node:worker_threads"): {
      Worker: new (script: URL) => WorkerLike;
    };
  };
}

// Bundlers know `new Worker(new URL(...))` written like this, and take the script along.
function startWorker(): WorkerLike | Worker {
  if (typeof Worker !== "undefined")
    return new Worker(new URL("./worker-thread.js", import.meta.url), {
      type: "module",
    });
  const threads = (globalThis as Threads).process?.getBuiltinModule?.(
    "node:worker_threads",
  );
  if (threads !== undefined)
    return new threads.Worker(new URL("./worker-thread.js", import.meta.url));
  throw new SpmliteError("INVALID_ARGUMENT", "there are no workers here");
}
