/// <reference lib="esnext.disposable" preserve="true" />

import "./web.js";
import { convertThrough, modulesFor, toBlob } from "./converter.js";
import { countOf, endOfFront, splitParts } from "./cut_parts.js";
import {
  type ControlOptions,
  controlsOf,
  type EncodeOptions,
  framed,
} from "./encode_options.js";
import { SpmliteError } from "./errors.js";
import { type Ids, toId, toIds } from "./ids.js";
import { joinIds, joinTokens } from "./joined_parts.js";
import { type CacheOptions, ModelCache } from "./model_cache.js";
import {
  converterModule,
  instantiate,
  instantiateNow,
  readersModule,
  runtimeModule,
  type SharedModule,
  samplingModule,
} from "./modules.js";
import {
  type OffsetUnit,
  onceAsked,
  Runtime,
  type Segmentation,
  slices,
  type TextPart,
  type Tokens,
} from "./runtime.js";
import {
  checkedNBestSize,
  checkedSampleOptions,
  needsSampling,
  type SampleOptions,
} from "./sampling.js";
import {
  bytesOf,
  type ModelSource,
  type NamedBytes,
  type ReadOptions,
  readSource,
} from "./source.js";
import { StreamingDecoder } from "./streaming_decoder.js";
import {
  decodeStream,
  type EncodeStreamOptions,
  encodeStream,
} from "./streams.js";

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
 * Tokens and where they lie in a text. Token `i` spans [begin, end) with begin =
 * `offsets[2 * i]` and end = `offsets[2 * i + 1]`. Of the bytes that a fallback
 * spells one character with, the last has the whole span and the others an empty
 * one before it.
 */
export interface EncodingWithOffsets {
  /** One for each token. */
  readonly ids: Int32Array;
  /** One for each token; of unknown text, the text as the model sees it. */
  readonly pieces: readonly string[];
  /** The part of the text that each token spans. */
  readonly surfaces: readonly string[];
  /** Two for each token, in the unit that was asked for. */
  readonly offsets: Int32Array;
  /** Two for each token, in bytes of the string as UTF-8. */
  readonly byteOffsets: Int32Array;
}

/**
 * A text and the tokens it came from: which part of it each one gave. A model with a
 * denormalizer rewrites the text as a whole; there, surfaces and offsets are those of
 * the text before that.
 */
export interface DecodingWithOffsets extends EncodingWithOffsets {
  readonly text: string;
}

/** Tokens, the parts of the text that they were found in, and what else belongs to them. */
function withSurfaces<Others extends object>(
  tokens: Tokens,
  text: string,
  others: Others = {} as Others,
): Others & EncodingWithOffsets {
  const { ids, offsets, byteOffsets, utf16Offsets } = tokens;
  const surfaces = onceAsked(() => slices(text, utf16Offsets));
  return {
    ...others,
    ids,
    get pieces() {
      return tokens.pieces;
    },
    get surfaces() {
      return surfaces();
    },
    offsets,
    byteOffsets,
  };
}

export interface OffsetOptions {
  /**
   * What `offsets` counts: UTF-16 units of the string, as `text.slice` does (the
   * default), bytes of it as UTF-8, or Unicode code points, as Python does.
   */
  readonly unit?: OffsetUnit;
}

/** What `encodeWithOffsets` can be asked for. */
export interface EncodeOffsetOptions extends OffsetOptions, ControlOptions {}

export interface ModuleOptions {
  /** Whether `sample` and `nbest` will be called: they take a larger module. */
  readonly sampling?: boolean;
}

export interface LoadOptions extends ModuleOptions, ReadOptions, CacheOptions {}

export interface PrepareOptions extends ModuleOptions {
  /** Whether `.model` files will be loaded: they take the converter's module. */
  readonly converter?: boolean;
  /** Whether tokenizer.json or `.spm` files will be: they take the readers' and that one. */
  readonly readers?: boolean;
}

export interface SplitOptions extends ControlOptions {
  /**
   * How many tokens at the end of a part are to be at the beginning of the next one too,
   * at most: less than `maxTokens`. None by default. It never reaches beyond a control
   * piece that is recognized.
   */
  readonly overlap?: number;
}

const UNITS: readonly OffsetUnit[] = ["utf16", "bytes", "codePoints"];

/**
 * A SentencePiece model, loaded. The ids are those of sentencepiece 0.2.3.
 *
 * A tokenizer that is no longer referred to gives its memory back by itself;
 * `free()` does so at once, and `using` calls it.
 */
export class Tokenizer {
  /** @internal What is minified keeps this name. */
  static readonly name = "Tokenizer";
  #runtime: Runtime | undefined;
  #whyGone = "";

  private constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /**
   * Loads a model: `.spm.fb`, `.model`, a tokenizer.json of a SentencePiece model, or
   * `.spm`; its content tells which. What is no `.spm.fb` is converted first, by modules
   * that are loaded for that alone. (`readTokenizerJson` tells what a model cannot hold of a
   * tokenizer.json.)
   *
   * Bytes are copied, and may change afterwards.
   *
   * Rejects with the code `SOURCE` where the model cannot be read, `INTEGRITY` where it
   * has another digest, `INVALID_MODEL` where it is none; an abort rejects with the
   * signal's reason.
   */
  static async load(
    source: ModelSource,
    options: LoadOptions = {},
  ): Promise<Tokenizer> {
    const [{ model, keep }, module] = await Promise.all([
      readModel(source, options),
      moduleFor(options).get(),
    ]);
    const instance = await instantiate(module);
    options.signal?.throwIfAborted();
    const tokenizer = Tokenizer.of(module, instance, model);
    await keep();
    return tokenizer;
  }

  /**
   * The same of bytes at once, without waiting. Where modules are files of their own
   * (`spmlite/external`), where something is to be converted and for `sampling`, wait
   * for `Tokenizer.prepare` before; it throws `INVALID_ARGUMENT` otherwise.
   */
  static fromBytes(
    bytes: ArrayBuffer | ArrayBufferView,
    options: ModuleOptions = {},
  ): Tokenizer {
    const given = bytesOf(bytes);
    if (given === undefined)
      throw invalid("fromBytes takes an ArrayBuffer or a typed array");
    const module = compiled(
      moduleFor(options),
      options.sampling ? "sampling" : "",
    );
    const model = { name: "the model", bytes: given };
    const needed = modulesFor(model);
    const option = needed.length > 1 ? "readers" : "converter";
    const instances = needed.map((one) =>
      instantiateNow(compiled(one, option)),
    );
    const blob = convertThrough(instances, model);
    return Tokenizer.of(module, instantiateNow(module), blob);
  }

  /** Compiles the WebAssembly modules ahead of time, so that a load or `fromBytes` finds them. */
  static async prepare({
    converter = false,
    readers = false,
    ...rest
  }: PrepareOptions = {}): Promise<void> {
    const modules = [moduleFor(rest)];
    if (converter || readers) modules.push(converterModule);
    if (readers) modules.push(readersModule);
    await Promise.all(modules.map((module) => module.get()));
  }

  /** @internal `model` is a `.spm.fb`, `instance` a fresh one of the module. */
  static of(
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    model: NamedBytes,
  ): Tokenizer {
    return new Tokenizer(new Runtime(module, instance, model));
  }

  /** Text to ids. A lone surrogate counts as U+FFFD, as `TextEncoder` has it. */
  encode(text: string, options: EncodeOptions = {}): Int32Array {
    requireString(text);
    return this.#call((runtime) => {
      const controls = controlsOf(options, runtime);
      const ids =
        controls === undefined
          ? runtime.encode(text)
          : joinIds(controls.cut(text), runtime);
      return framed(ids, options, runtime);
    });
  }

  /**
   * Text to ids, written to `target` from its beginning. Returns the number of ids that
   * the text has: where that is more than `target` has room for, only the first are there.
   */
  encodeInto(
    text: string,
    target: Int32Array,
    options: EncodeOptions = {},
  ): number {
    requireString(text);
    if (!(target instanceof Int32Array))
      throw invalid("encodeInto writes to an Int32Array");
    if (Object.values(options).some(Boolean)) {
      const ids = this.encode(text, options);
      target.set(ids.subarray(0, target.length));
      return ids.length;
    }
    return this.#call((runtime) => runtime.encodeInto(text, target));
  }

  /** Several texts to the ids of each. */
  encodeBatch(
    texts: Iterable<string>,
    options: EncodeOptions = {},
  ): Int32Array[] {
    return Array.from(texts, (text) => this.encode(text, options));
  }

  /** Text to tokens, and where each lies in it. */
  encodeWithOffsets(
    text: string,
    options: EncodeOffsetOptions = {},
  ): EncodingWithOffsets {
    requireString(text);
    const unit = checkedUnit(options);
    const tokens = this.#call((runtime) => {
      const controls = controlsOf(options, runtime);
      return controls === undefined
        ? runtime.encodeWithOffsets(text, unit)
        : joinTokens(controls.cut(text), unit, runtime);
    });
    return withSurfaces(tokens, text);
  }

  /** The number of ids that `encode` gives, without making them. */
  count(text: string, options: ControlOptions = {}): number {
    requireString(text);
    return this.#call((runtime) => {
      const controls = controlsOf(options, runtime);
      return controls === undefined
        ? runtime.count(text)
        : countOf(controls.cut(text), runtime);
    });
  }

  /** Whether a text has at most so many ids. */
  isWithinLimit(
    text: string,
    maxTokens: number,
    options: ControlOptions = {},
  ): boolean {
    const most = checkedCount(maxTokens, "maxTokens", 0);
    return this.count(text, options) <= most;
  }

  /**
   * The longest front of a text that ends where a token does and has at most so many of
   * them. Its ids are the first ones of the whole text's, where there is such a front
   * close to the limit. Takes the time of encoding the whole text.
   */
  truncate(
    text: string,
    maxTokens: number,
    options: ControlOptions = {},
  ): string {
    requireString(text);
    const most = checkedCount(maxTokens, "maxTokens", 0);
    return this.#call((runtime) => {
      const controls = controlsOf(options, runtime);
      return controls === undefined
        ? runtime.truncate(text, most)
        : text.slice(0, endOfFront(controls.cut(text), most, runtime));
    });
  }

  /**
   * A text in parts of at most so many tokens, such as for a model that takes no more;
   * none for a text without tokens. All tokens of the text are in the parts, in order.
   *
   * A part is cut so that `encode` gives it the ids that it has within the text, where
   * the model allows that: one that puts a space in front of a text is cut at spaces,
   * which are in no part (they are put in front again). Where there are none, and in the
   * middle of words, the number of tokens alone is kept. Only what cannot be cut, such as
   * one character of several bytes, may have more.
   */
  split(
    text: string,
    maxTokens: number,
    options: SplitOptions = {},
  ): TextPart[] {
    const { overlap = 0 } = options;
    requireString(text);
    const most = checkedCount(maxTokens, "maxTokens", 1);
    const shared = checkedCount(overlap, "overlap", 0);
    if (shared >= most)
      throw invalid(`overlap must be less than maxTokens, not ${overlap}`);
    return this.#call((runtime) => {
      const controls = controlsOf(options, runtime);
      return controls === undefined
        ? runtime.split(text, most, shared)
        : splitParts(text, controls.cut(text), most, shared, runtime);
    });
  }

  /** Ids to text. */
  decode(ids: Ids): string {
    const checked = toIds(ids);
    return this.#call((runtime) => runtime.decode(checked));
  }

  /** Ids to text as UTF-8. */
  decodeBytes(ids: Ids): Uint8Array {
    const checked = toIds(ids);
    return this.#call((runtime) => runtime.decodeBytes(checked));
  }

  /** Ids to text, and which part of it each gave. */
  decodeWithOffsets(
    ids: Ids,
    options: OffsetOptions = {},
  ): DecodingWithOffsets {
    const checked = toIds(ids);
    const unit = checkedUnit(options);
    const { text, decoded, tokens } = this.#call((runtime) =>
      runtime.decodeWithOffsets(checked, unit),
    );
    return withSurfaces(tokens, decoded, { text });
  }

  /**
   * A stream from texts to their ids: each chunk is a text of its own or, with `lines`,
   * each line of them, wherever the chunks end.
   */
  encodeStream(
    options: EncodeStreamOptions = {},
  ): TransformStream<string, Int32Array> {
    return encodeStream((text) => this.encode(text, options), options);
  }

  /** A stream from ids, one or several at a time, to the text that they make together. */
  decodeStream(): TransformStream<number | Ids, string> {
    return decodeStream(this.streamingDecoder());
  }

  /** Decoding as ids come in. */
  streamingDecoder(): StreamingDecoder {
    return new StreamingDecoder((call) => this.#call(call));
  }

  /**
   * One of the ways to cut a text, drawn as in training with subword regularization,
   * as ids. The model must be Unigram or BPE, and loaded with `sampling`.
   */
  sample(text: string, options: SampleOptions = {}): Int32Array {
    requireString(text);
    const { seed, nbestSize, alpha } = checkedSampleOptions(options);
    if (this.modelType !== "UNIGRAM" && this.modelType !== "BPE")
      throw invalid(
        "this model has one way to cut a text: Unigram and BPE models have several",
      );
    const ids = this.#call((runtime) =>
      runtime.sample(text, seed, nbestSize, alpha),
    );
    if (ids === undefined) throw needsSampling();
    return ids;
  }

  /**
   * The `size` most probable ways to cut a text (1 to 512; there may be fewer), best
   * first; of a size of 1 the score is 0, as in sentencepiece. The model must be
   * Unigram, and loaded with `sampling`.
   */
  nbest(text: string, size: number): Segmentation[] {
    requireString(text);
    const checked = checkedNBestSize(size);
    if (this.modelType !== "UNIGRAM")
      throw invalid("n-best is for Unigram models alone");
    const found = this.#call((runtime) => runtime.nbest(text, checked));
    if (found === undefined) throw needsSampling();
    return found;
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

/** @internal A model as a `.spm.fb`, from the cache where it was kept there. */
export async function readModel(
  source: ModelSource,
  options: ReadOptions & CacheOptions,
  convert: (model: NamedBytes) => Promise<NamedBytes> = toBlob,
): Promise<ReadModel> {
  const cache = ModelCache.of(source, options, options.integrity);
  const kept = await cache?.read();
  if (kept !== undefined) {
    const model = { name: String(source), bytes: kept, isChecked: true };
    return { model, keep: async () => {} };
  }
  const model = await convert(await readSource(source, options));
  return { model, keep: async () => cache?.keep(model.bytes) };
}

interface ReadModel {
  readonly model: NamedBytes;
  /** To be called once it has been loaded, and so was checked. */
  readonly keep: () => Promise<void>;
}

/** @internal The module that a tokenizer with these options needs. */
export function moduleFor({ sampling = false }: ModuleOptions): SharedModule {
  return sampling ? samplingModule : runtimeModule;
}

function compiled(module: SharedModule, option: string): WebAssembly.Module {
  const found = module.getNow();
  if (found !== undefined) return found;
  const needed = option === "" ? "" : `{ ${option}: true }`;
  throw invalid(
    `fromBytes needs a module that is not there yet: await Tokenizer.prepare(${needed}) before`,
  );
}

function requireString(text: unknown): asserts text is string {
  if (typeof text === "string") return;
  throw invalid(`a string is needed, not ${typeof text}`);
}

function checkedUnit({ unit = "utf16" }: OffsetOptions): OffsetUnit {
  if (UNITS.includes(unit)) return unit;
  throw invalid(
    `the unit must be one of ${UNITS.join(", ")}, not ${String(unit)}`,
  );
}

/** A number of tokens, as 32 bits hold it; no text has more. */
function checkedCount(count: number, name: string, least: number): number {
  if (
    typeof count === "number" &&
    count >= least &&
    Math.trunc(count) === count
  )
    return Math.min(count, 0x7fffffff);
  throw invalid(
    `${name} must be an integer of at least ${least}, not ${String(count)}`,
  );
}

function invalid(message: string): SpmliteError {
  return new SpmliteError("INVALID_ARGUMENT", message);
}
