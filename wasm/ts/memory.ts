// The memory of a WebAssembly instance, seen from outside; see wasm/src/memory.cc
// and wasm/src/exports.h. Addresses and sizes are in bytes; the modules are built
// for at most 2 GiB, so that an address is never negative.

import { SpmliteError } from "./errors.js";

/** What both modules export. */
export interface MemoryExports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  spmlite_allocate(size: number): number;
  spmlite_reallocate(block: number, size: number): number;
  spmlite_refused_bytes(): number;
}

// The words of an Outcome.
const TEXT = 3;
const TEXT_SIZE = 4;

// A byte order mark in a text is part of it.
const KEEP_MARK = { ignoreBOM: true };

export class InstanceMemory {
  readonly #exports: MemoryExports;
  readonly #decoder = new TextDecoder("utf-8", KEEP_MARK);
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);

  constructor(exports: MemoryExports) {
    this.#exports = exports;
  }

  /** All of the memory. Valid until the next call into the instance, which may let it grow. */
  get bytes(): Uint8Array {
    if (this.#bytes.length === 0)
      this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    return this.#bytes;
  }

  /** The same as 32-bit words: the word at address `a` is `words[a / 4]`. */
  get words(): Int32Array {
    if (this.#words.length === 0)
      this.#words = new Int32Array(this.#exports.memory.buffer);
    return this.#words;
  }

  /** The address of a new block that holds a copy of `bytes`. */
  put(bytes: Uint8Array): number {
    const block = this.grow(0, bytes.length);
    this.bytes.set(bytes, block);
    return block;
  }

  /** The address of a block, made larger, with what it held; of a new one for address 0. */
  grow(block: number, size: number): number {
    const grown = this.#exports.spmlite_reallocate(block, size);
    if (grown === 0 && size > 0) throw outOfMemory(size);
    return grown;
  }

  /** The bytes of an Outcome's text, in place. */
  textBytes(outcome: number): Uint8Array {
    const word = outcome >> 2;
    const start = this.words[word + TEXT] ?? 0;
    return this.bytes.subarray(
      start,
      start + (this.words[word + TEXT_SIZE] ?? 0),
    );
  }

  /** The text of an Outcome. */
  text(outcome: number): string {
    return this.#decoder.decode(this.textBytes(outcome));
  }

  /** The value of a call into the instance; a trap becomes an error that says what it was about. */
  explained<Value>(call: () => Value): Value {
    try {
      return call();
    } catch (trap) {
      throw this.explain(trap);
    }
  }

  /** What a trap was about. The instance that trapped must not be called again. */
  explain(trap: unknown): SpmliteError {
    const refused = this.#exports.spmlite_refused_bytes();
    if (refused > 0) return outOfMemory(refused);
    return new SpmliteError(
      "INTERNAL",
      `the WebAssembly module trapped: ${trap}`,
      { cause: trap },
    );
  }
}

function outOfMemory(size: number): SpmliteError {
  return new SpmliteError(
    "MEMORY",
    `${size} more bytes of memory were refused`,
  );
}
