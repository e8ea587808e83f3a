// One loaded model in a WebAssembly instance of its own; see wasm/src/abi.cc and, for
// what the larger module has, wasm/src/sampling_abi.cc.
//
// An instance for each tokenizer, since memory never shrinks: dropping the instance
// is the one way to give memory back, and the garbage collector does it unasked.

import { SpmliteError } from "./errors.js";
import { InstanceMemory, type MemoryExports } from "./memory.js";
import type { NamedBytes } from "./source.js";

interface RuntimeExports extends MemoryExports {
  spmlite_create(blob: number, size: number, checks: number): number;
  spmlite_status(tokenizer: number): number;
  spmlite_encode(tokenizer: number, text: number, size: number): number;
  spmlite_encode_with_spans(
    tokenizer: number,
    text: number,
    size: number,
  ): number;
  spmlite_decode_with_spans(
    tokenizer: number,
    ids: number,
    count: number,
  ): number;
  spmlite_rewritten(tokenizer: number): void;
  spmlite_spans(tokenizer: number, unit: number): void;
  spmlite_pieces(tokenizer: number): void;
  spmlite_truncate(
    tokenizer: number,
    text: number,
    size: number,
    maxTokens: number,
  ): number;
  spmlite_split(
    tokenizer: number,
    text: number,
    size: number,
    maxTokens: number,
    overlap: number,
  ): number;
  spmlite_decoder_create(tokenizer: number): number;
  spmlite_decoder_destroy(decoder: number): void;
  spmlite_decoder_add(
    tokenizer: number,
    decoder: number,
    ids: number,
    count: number,
  ): number;
  spmlite_decoder_finish(tokenizer: number, decoder: number): number;
  spmlite_sample?(
    tokenizer: number,
    text: number,
    size: number,
    seed: number,
    nbestSize: number,
    alpha: number,
  ): number;
  spmlite_nbest?(
    tokenizer: number,
    text: number,
    size: number,
    nbestSize: number,
  ): number;
  spmlite_decode(tokenizer: number, ids: number, count: number): number;
  spmlite_normalize(tokenizer: number, text: number, size: number): number;
  spmlite_id_to_piece(tokenizer: number, id: number): number;
  spmlite_piece_to_id(tokenizer: number, piece: number, size: number): number;
  spmlite_score(tokenizer: number, id: number): number;
  spmlite_type(tokenizer: number, id: number): number;
  spmlite_vocab_size(tokenizer: number): number;
  spmlite_model_type(tokenizer: number): number;
  spmlite_unk_id(tokenizer: number): number;
  spmlite_bos_id(tokenizer: number): number;
  spmlite_eos_id(tokenizer: number): number;
  spmlite_pad_id(tokenizer: number): number;
}

/** What offsets count: units of a JavaScript string, bytes of UTF-8, or Unicode code points. */
export type OffsetUnit = "utf16" | "bytes" | "codePoints";

// OffsetUnit of core/include/sentencepiece_lite.h.
const OFFSET_UNITS: Readonly<Record<OffsetUnit, number>> = {
  bytes: 0,
  codePoints: 1,
  utf16: 2,
};

/** Tokens, and begin and end of each in the text they are of, one after the other. */
export interface Tokens {
  readonly ids: Int32Array;
  readonly pieces: string[];
  readonly offsets: Int32Array;
  readonly utf16Offsets: Int32Array;
  readonly byteOffsets: Int32Array;
}

/** One way to cut a text. */
export interface Segmentation {
  readonly ids: Int32Array;
  /** The sum of the scores of its pieces: a log probability. */
  readonly score: number;
}

/** A part of a text, cut where tokens end. */
export interface TextPart {
  /** The part: `slice(begin, end)` of the whole. */
  readonly text: string;
  /** Where it begins in the whole, in UTF-16 units. */
  readonly begin: number;
  /** Where it ends. */
  readonly end: number;
  /** How many ids `encode` gives for it alone. */
  readonly tokenCount: number;
}

// Begin, end and number of tokens.
const WORDS_OF_PART = 3;

// Checks of core/include/sentencepiece_lite.h.
const ALL_CHECKS = 0;
const NO_CHECKS = 2;

// StatusCode of core/include/sentencepiece_lite.h.
const OK = 0;
const OUT_OF_RANGE = 11;
const INVALID_ARGUMENT = 3;

// The words of an Outcome; wasm/src/exports.h.
const IDS = 0;
const ID_COUNT = 1;
const SPANS = 2;

// Room for the bytes of a text is kept from call to call. A UTF-16 unit gives at
// most 3 bytes; beyond SHORT units that much is set aside only when it is needed.
const MOST_BYTES_FOR_A_UNIT = 3;
const SHORT = 1 << 16;
const LEAST_ROOM = 1 << 12;

/** @internal */
export class Runtime {
  /** Tells this instance from others, and keeps none of its memory. */
  readonly identity: object = {};
  readonly #module: WebAssembly.Module;
  readonly #exports: RuntimeExports;
  readonly #memory: InstanceMemory;
  readonly #encoder = new TextEncoder();
  readonly #blob: number;
  readonly #blobSize: number;
  readonly #tokenizer: number;
  #room = 0;
  #roomSize = 0;
  #roomBytes: Uint8Array = new Uint8Array(0);

  /** `instance` is a fresh one of `module`. */
  constructor(
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    { bytes, name, isChecked = false }: NamedBytes,
  ) {
    this.#module = module;
    this.#exports = instance.exports as unknown as RuntimeExports;
    this.#exports._initialize();
    this.#memory = new InstanceMemory(this.#exports);
    this.#blob = this.#memory.put(bytes);
    this.#blobSize = bytes.length;
    this.#tokenizer = this.#memory.explained(() =>
      this.#exports.spmlite_create(
        this.#blob,
        this.#blobSize,
        isChecked ? NO_CHECKS : ALL_CHECKS,
      ),
    );
    if (this.#exports.spmlite_status(this.#tokenizer) !== OK) {
      throw new SpmliteError(
        "INVALID_MODEL",
        `${name}: ${this.#memory.text(this.#tokenizer)}`,
      );
    }
  }

  /** The same model in a new instance, for after a trap. */
  rebuilt(): Runtime {
    const blob = this.#memory.bytes.subarray(
      this.#blob,
      this.#blob + this.#blobSize,
    );
    const instance = new WebAssembly.Instance(this.#module);
    const model = { name: "the model", bytes: blob };
    return new Runtime(this.#module, instance, model);
  }

  /** What a trap was about. */
  explain(trap: unknown): SpmliteError {
    return this.#memory.explain(trap);
  }

  encode(text: string): Int32Array {
    this.#encode(text);
    return this.#ids();
  }

  /** The number of ids that `encode` gives. */
  count(text: string): number {
    this.#encode(text);
    return this.#idCount();
  }

  /** Writes the ids, as many as there is room for; gives the number of all. */
  encodeInto(text: string, target: Int32Array): number {
    this.#encode(text);
    const words = this.#memory.words;
    const start = (words[(this.#tokenizer >> 2) + IDS] ?? 0) >> 2;
    const count = this.#idCount();
    const fitting = Math.min(count, target.length);
    target.set(words.subarray(start, start + fitting));
    return count;
  }

  #encode(text: string): void {
    const size = this.#writeText(text);
    this.#check(
      this.#exports.spmlite_encode(this.#tokenizer, this.#room, size),
    );
  }

  /** The front of a text with so many tokens at most. */
  truncate(text: string, maxTokens: number): string {
    const size = this.#writeText(text);
    this.#check(
      this.#exports.spmlite_truncate(
        this.#tokenizer,
        this.#room,
        size,
        maxTokens,
      ),
    );
    return this.#parts(text)[0]?.text ?? "";
  }

  split(text: string, maxTokens: number, overlap: number): TextPart[] {
    const size = this.#writeText(text);
    this.#check(
      this.#exports.spmlite_split(
        this.#tokenizer,
        this.#room,
        size,
        maxTokens,
        overlap,
      ),
    );
    return this.#parts(text);
  }

  #parts(text: string): TextPart[] {
    const words = this.#ids();
    return Array.from({ length: words.length / WORDS_OF_PART }, (_, i) => {
      const at = WORDS_OF_PART * i;
      const [begin = 0, end = 0, tokenCount = 0] = words.subarray(at);
      return { text: text.slice(begin, end), begin, end, tokenCount };
    });
  }

  encodeWithOffsets(text: string, unit: OffsetUnit): Tokens {
    const size = this.#writeText(text);
    this.#check(
      this.#exports.spmlite_encode_with_spans(
        this.#tokenizer,
        this.#room,
        size,
      ),
    );
    return this.#tokens(this.#ids(), unit);
  }

  decode(ids: Int32Array): string {
    this.#decode(ids);
    return this.#memory.text(this.#tokenizer);
  }

  decodeBytes(ids: Int32Array): Uint8Array {
    this.#decode(ids);
    return this.#memory.textBytes(this.#tokenizer).slice();
  }

  #decode(ids: Int32Array): void {
    this.#writeIds(ids);
    this.#checkIds(
      ids,
      this.#exports.spmlite_decode(this.#tokenizer, this.#room, ids.length),
    );
  }

  /** The text, the same before a denormalizer rewrote it, and the tokens in the latter. */
  decodeWithOffsets(
    ids: Int32Array,
    unit: OffsetUnit,
  ): { text: string; decoded: string; tokens: Tokens } {
    this.#writeIds(ids);
    const exports = this.#exports;
    this.#checkIds(
      ids,
      exports.spmlite_decode_with_spans(
        this.#tokenizer,
        this.#room,
        ids.length,
      ),
    );
    const decoded = this.#memory.text(this.#tokenizer);
    exports.spmlite_rewritten(this.#tokenizer);
    const text = this.#memory.text(this.#tokenizer);
    return { text, decoded, tokens: this.#tokens(ids.slice(), unit) };
  }

  /** Undefined where this is the module without sampling. */
  sample(
    text: string,
    seed: number,
    nbestSize: number,
    alpha: number,
  ): Int32Array | undefined {
    const draw = this.#exports.spmlite_sample;
    if (draw === undefined) return undefined;
    const size = this.#writeText(text);
    this.#check(
      draw(this.#tokenizer, this.#room, size, seed, nbestSize, alpha),
    );
    return this.#ids();
  }

  /** Undefined where this is the module without n-best. */
  nbest(text: string, nbestSize: number): Segmentation[] | undefined {
    const find = this.#exports.spmlite_nbest;
    if (find === undefined) return undefined;
    const size = this.#writeText(text);
    this.#check(find(this.#tokenizer, this.#room, size, nbestSize));
    const words = this.#ids();
    const scores = new Float32Array(words.buffer);
    const segmentations: Segmentation[] = [];
    for (let at = 0; at < words.length; ) {
      const end = at + 2 + (words[at] ?? 0);
      const ids = words.slice(at + 2, end);
      segmentations.push({ ids, score: scores[at + 1] ?? 0 });
      at = end;
    }
    return segmentations;
  }

  createDecoder(): number {
    return this.#exports.spmlite_decoder_create(this.#tokenizer);
  }

  destroyDecoder(decoder: number): void {
    this.#exports.spmlite_decoder_destroy(decoder);
  }

  addToDecoder(decoder: number, ids: Int32Array): string {
    this.#writeIds(ids);
    this.#checkIds(
      ids,
      this.#exports.spmlite_decoder_add(
        this.#tokenizer,
        decoder,
        this.#room,
        ids.length,
      ),
    );
    return this.#memory.text(this.#tokenizer);
  }

  finishDecoder(decoder: number): string {
    this.#check(this.#exports.spmlite_decoder_finish(this.#tokenizer, decoder));
    return this.#memory.text(this.#tokenizer);
  }

  normalize(text: string): string {
    const size = this.#writeText(text);
    this.#check(
      this.#exports.spmlite_normalize(this.#tokenizer, this.#room, size),
    );
    return this.#memory.text(this.#tokenizer);
  }

  idToPiece(id: number): string {
    this.#checkId(id);
    return this.#memory.text(this.#tokenizer);
  }

  pieceToId(piece: string): number {
    const size = this.#writeText(piece);
    return this.#exports.spmlite_piece_to_id(this.#tokenizer, this.#room, size);
  }

  score(id: number): number {
    this.#checkId(id);
    return this.#exports.spmlite_score(this.#tokenizer, id);
  }

  type(id: number): number {
    this.#checkId(id);
    return this.#exports.spmlite_type(this.#tokenizer, id);
  }

  vocabSize(): number {
    return this.#exports.spmlite_vocab_size(this.#tokenizer);
  }

  modelType(): number {
    return this.#exports.spmlite_model_type(this.#tokenizer);
  }

  unkId(): number {
    return this.#exports.spmlite_unk_id(this.#tokenizer);
  }

  bosId(): number {
    return this.#exports.spmlite_bos_id(this.#tokenizer);
  }

  eosId(): number {
    return this.#exports.spmlite_eos_id(this.#tokenizer);
  }

  padId(): number {
    return this.#exports.spmlite_pad_id(this.#tokenizer);
  }

  #check(status: number): void {
    if (status === OK) return;
    const code = status === INVALID_ARGUMENT ? "INVALID_ARGUMENT" : "INTERNAL";
    throw new SpmliteError(code, this.#memory.text(this.#tokenizer));
  }

  #checkIds(ids: Int32Array, status: number): void {
    if (status !== OUT_OF_RANGE) {
      this.#check(status);
      return;
    }
    const size = this.vocabSize();
    const wrong = ids.find((id) => id < 0 || id >= size);
    throw new SpmliteError(
      "OUT_OF_RANGE",
      `id ${wrong} is out of range: this model has the ids 0 to ${size - 1}`,
    );
  }

  /** An error for an id that is none; otherwise leaves its piece in the Outcome. */
  #checkId(id: number): void {
    const status = this.#exports.spmlite_id_to_piece(this.#tokenizer, id);
    this.#checkIds(Int32Array.of(id), status);
  }

  /** What is told of the last call with offsets. */
  #tokens(ids: Int32Array, unit: OffsetUnit): Tokens {
    this.#exports.spmlite_pieces(this.#tokenizer);
    const text = this.#memory.text(this.#tokenizer);
    const spans = this.#wordsAt(SPANS, 2 * ids.length);
    const pieces = onceAsked(() => slices(text, spans));
    const utf16Offsets = this.#spans("utf16", ids.length);
    const byteOffsets = this.#spans("bytes", ids.length);
    let offsets = utf16Offsets;
    if (unit === "bytes") offsets = byteOffsets;
    if (unit === "codePoints") offsets = this.#spans(unit, ids.length);
    return {
      ids,
      get pieces() {
        return pieces();
      },
      offsets,
      utf16Offsets,
      byteOffsets,
    };
  }

  #spans(unit: OffsetUnit, count: number): Int32Array {
    this.#exports.spmlite_spans(this.#tokenizer, OFFSET_UNITS[unit]);
    return this.#wordsAt(SPANS, 2 * count);
  }

  #ids(): Int32Array {
    return this.#wordsAt(IDS, this.#idCount());
  }

  #idCount(): number {
    return this.#memory.words[(this.#tokenizer >> 2) + ID_COUNT] ?? 0;
  }

  /** A copy of the words that a word of the Outcome points to. */
  #wordsAt(pointer: number, count: number): Int32Array {
    const words = this.#memory.words;
    const start = (words[(this.#tokenizer >> 2) + pointer] ?? 0) >> 2;
    return words.slice(start, start + count);
  }

  #writeIds(ids: Int32Array): void {
    this.#reserve(4 * ids.length);
    this.#memory.words.set(ids, this.#room >> 2);
  }

  /** Writes a text as UTF-8 into the room; returns its size. A lone surrogate becomes U+FFFD. */
  #writeText(text: string): number {
    const most = MOST_BYTES_FOR_A_UNIT * text.length;
    if (most > this.#roomSize) {
      if (text.length > SHORT) return this.#writeLongText(text);
      this.#reserve(most);
    }
    return this.#encoder.encodeInto(text, this.#roomView()).written;
  }

  #writeLongText(text: string): number {
    let read = 0;
    let size = 0;
    this.#reserve(text.length);
    for (;;) {
      const rest = this.#roomView().subarray(size);
      const step = this.#encoder.encodeInto(
        read === 0 ? text : text.slice(read),
        rest,
      );
      read += step.read;
      size += step.written;
      if (read === text.length) return size;
      this.#reserve(size + MOST_BYTES_FOR_A_UNIT * (text.length - read));
    }
  }

  /** Makes the room at least `size` bytes large and keeps what it holds. */
  #reserve(size: number): void {
    if (size <= this.#roomSize) return;
    const roomSize = Math.max(size, LEAST_ROOM);
    this.#room = this.#memory.grow(this.#room, roomSize);
    this.#roomSize = roomSize;
    this.#roomBytes = new Uint8Array(0);
  }

  /** The room's bytes; made anew when the memory has grown, which empties every view. */
  #roomView(): Uint8Array {
    if (this.#roomBytes.length === 0) {
      this.#roomBytes = this.#memory.bytes.subarray(
        this.#room,
        this.#room + this.#roomSize,
      );
    }
    return this.#roomBytes;
  }
}

/** Makes something when it is asked for, once: strings for tokens take most of the time. */
export function onceAsked<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The parts of a text that pairs of offsets in UTF-16 units tell. */
export function slices(text: string, offsets: Int32Array): string[] {
  return Array.from({ length: offsets.length / 2 }, (_, i) =>
    text.slice(offsets[2 * i], offsets[2 * i + 1]),
  );
}
