// One loaded model in a WebAssembly instance of its own; see wasm/src/abi.cc.
//
// An instance for each tokenizer, since memory never shrinks: dropping the instance
// is the one way to give memory back, and the garbage collector does it unasked.

import { SpmliteError } from "./errors.js";
import { InstanceMemory, type MemoryExports } from "./memory.js";

interface RuntimeExports extends MemoryExports {
  spmlite_create(blob: number, size: number): number;
  spmlite_status(tokenizer: number): number;
  spmlite_encode(tokenizer: number, text: number, size: number): number;
  spmlite_encode_with_spans(
    tokenizer: number,
    text: number,
    size: number,
    unit: number,
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

/** OffsetUnit of core/include/sentencepiece_lite.h. */
export const OffsetUnit = { BYTE: 0, UTF16: 2 } as const;

/** The ids of a text, and begin and end of each, one after the other. */
export interface IdsAndSpans {
  readonly ids: Int32Array;
  readonly spans: Int32Array;
}

// StatusCode of core/include/sentencepiece_lite.h.
const OK = 0;
const OUT_OF_RANGE = 11;

// The words of an Outcome; wasm/src/exports.h.
const IDS = 0;
const ID_COUNT = 1;
const SPANS = 2;

// Room for the bytes of a text is kept from call to call. A UTF-16 unit gives at
// most 3 bytes; beyond SHORT units that much is set aside only when it is needed.
const MOST_BYTES_FOR_A_UNIT = 3;
const SHORT = 1 << 16;
const LEAST_ROOM = 1 << 12;

export class Runtime {
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

  /** `instance` is a fresh one of `module`; `name` is what messages call the model. */
  constructor(
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    blob: Uint8Array,
    name: string,
  ) {
    this.#module = module;
    this.#exports = instance.exports as unknown as RuntimeExports;
    this.#exports._initialize();
    this.#memory = new InstanceMemory(this.#exports);
    this.#blob = this.#memory.put(blob);
    this.#blobSize = blob.length;
    this.#tokenizer = this.#memory.explained(() =>
      this.#exports.spmlite_create(this.#blob, this.#blobSize),
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
    return new Runtime(this.#module, instance, blob, "the model");
  }

  /** What a trap was about. */
  explain(trap: unknown): SpmliteError {
    return this.#memory.explain(trap);
  }

  encode(text: string): Int32Array {
    const size = this.#writeText(text);
    this.#check(
      this.#exports.spmlite_encode(this.#tokenizer, this.#room, size),
    );
    return this.#ids();
  }

  encodeWithSpans(text: string, unit: number): IdsAndSpans {
    const size = this.#writeText(text);
    const exports = this.#exports;
    this.#check(
      exports.spmlite_encode_with_spans(
        this.#tokenizer,
        this.#room,
        size,
        unit,
      ),
    );
    const ids = this.#ids();
    return { ids, spans: this.#wordsAt(SPANS, 2 * ids.length) };
  }

  decode(ids: Int32Array): string {
    this.#reserve(4 * ids.length);
    this.#memory.words.set(ids, this.#room >> 2);
    this.#check(
      this.#exports.spmlite_decode(this.#tokenizer, this.#room, ids.length),
    );
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
    const code = status === OUT_OF_RANGE ? "OUT_OF_RANGE" : "INTERNAL";
    throw new SpmliteError(code, this.#memory.text(this.#tokenizer));
  }

  /** An error for an id that is none; otherwise leaves its piece in the Outcome. */
  #checkId(id: number): void {
    this.#check(this.#exports.spmlite_id_to_piece(this.#tokenizer, id));
  }

  #ids(): Int32Array {
    return this.#wordsAt(
      IDS,
      this.#memory.words[(this.#tokenizer >> 2) + ID_COUNT] ?? 0,
    );
  }

  /** A copy of the words that a word of the Outcome points to. */
  #wordsAt(pointer: number, count: number): Int32Array {
    const words = this.#memory.words;
    const start = (words[(this.#tokenizer >> 2) + pointer] ?? 0) >> 2;
    return words.slice(start, start + count);
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
