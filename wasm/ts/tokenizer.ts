/// <reference lib="esnext.disposable" preserve="true" />

import { convert } from "./converter.js";
import { SpmliteError } from "./errors.js";
import { type Ids, toId, toIds } from "./ids.js";
import { kindOf } from "./kind.js";
import { instantiate, runtimeModule, samplingModule } from "./modules.js";
import {
  type OffsetUnit,
  Runtime,
  type Segmentation,
  slices,
} from "./runtime.js";
import {
  checkedNBestSize,
  checkedSampleOptions,
  needsSampling,
  type SampleOptions,
} from "./sampling.js";
import { type ModelSource, readSource } from "./source.js";
import { StreamingDecoder } from "./streaming_decoder.js";

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

export interface OffsetOptions {
  /**
   * What `offsets` counts: UTF-16 units of the string, as `text.slice` does (the
   * default), bytes of it as UTF-8, or Unicode code points, as Python does.
   */
  readonly unit?: OffsetUnit;
}

export interface LoadOptions {
  /** Whether `sample` and `nbest` will be called: they take a larger module. */
  readonly sampling?: boolean;
}

const UNITS: readonly OffsetUnit[] = ["utf16", "bytes", "codePoints"];

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
  static async load(
    source: ModelSource,
    { sampling = false }: LoadOptions = {},
  ): Promise<Tokenizer> {
    const [model, module] = await Promise.all([
      readSource(source),
      sampling ? samplingModule() : runtimeModule(),
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

  /** Text to tokens, and where each lies in it. */
  encodeWithOffsets(
    text: string,
    options: OffsetOptions = {},
  ): EncodingWithOffsets {
    requireString(text);
    const unit = checkedUnit(options);
    const { utf16Offsets, ...rest } = this.#call((runtime) =>
      runtime.encodeWithOffsets(text, unit),
    );
    return { ...rest, surfaces: slices(text, utf16Offsets) };
  }

  /** Ids to text. */
  decode(ids: Ids): string {
    const checked = toIds(ids);
    return this.#call((runtime) => runtime.decode(checked));
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
    const { utf16Offsets, ...rest } = tokens;
    return { text, ...rest, surfaces: slices(decoded, utf16Offsets) };
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
      throw new SpmliteError(
        "INVALID_ARGUMENT",
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
      throw new SpmliteError(
        "INVALID_ARGUMENT",
        "n-best is for Unigram models alone",
      );
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

function requireString(text: unknown): asserts text is string {
  if (typeof text === "string") return;
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `a string is needed, not ${typeof text}`,
  );
}

function checkedUnit({ unit = "utf16" }: OffsetOptions): OffsetUnit {
  if (UNITS.includes(unit)) return unit;
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `the unit must be one of ${UNITS.join(", ")}, not ${String(unit)}`,
  );
}
