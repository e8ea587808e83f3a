/// <reference path="./wasm/base64.d.ts" />

// spmlite/tokenizer-json: Hugging Face's tokenizer.json as a `.model`, by a module of its
// own, which nobody else downloads; see wasm/src/tokenizer_json_abi.cc.

import "./web.js";
import base64 from "base64:spmlite-tokenizer-json.wasm";
import { SpmliteError } from "./errors.js";
import { InstanceMemory, type MemoryExports } from "./memory.js";
import { instantiate, SharedModule } from "./modules.js";
import { type ModelSource, type ReadOptions, readSource } from "./source.js";

interface ReaderExports extends MemoryExports {
  spmlite_read_tokenizer_json(file: number, size: number): number;
  spmlite_status(reading: number): number;
  spmlite_notes(reading: number): number;
}

/** A model, and what of the tokenizer it lacks. */
export interface TokenizerJsonModel {
  /** The bytes of a `.model`, for `Tokenizer.load` or `convert`. */
  readonly model: Uint8Array<ArrayBuffer>;
  /** A sentence each, such as on added tokens beyond the vocabulary. */
  readonly notes: readonly string[];
}

const reader = new SharedModule({
  compile: () =>
    WebAssembly.compile(
      Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
    ),
});

/**
 * Reads a tokenizer.json that was made from a SentencePiece model: BPE or Unigram.
 *
 * Throws a SpmliteError "INVALID_MODEL" that names the field where it is another kind of
 * tokenizer, such as byte-level BPE or WordPiece. Takes some three times the file's size
 * in memory, which is free again afterwards.
 */
export async function readTokenizerJson(
  source: ModelSource,
  options: ReadOptions = {},
): Promise<TokenizerJsonModel> {
  const { bytes, name } = await readSource(source, options);
  const instance = await instantiate(await reader.get());
  const exports = instance.exports as unknown as ReaderExports;
  exports._initialize();
  const memory = new InstanceMemory(exports);
  const block = memory.put(bytes);
  const reading = memory.explained(() =>
    exports.spmlite_read_tokenizer_json(block, bytes.length),
  );
  if (exports.spmlite_status(reading) !== 0) {
    const message = `${name}: ${memory.text(reading)}`;
    throw new SpmliteError("INVALID_MODEL", message);
  }
  const model = memory.textBytes(reading).slice();
  const notes = memory.text(exports.spmlite_notes(reading));
  return { model, notes: notes.split("\n").slice(0, -1) };
}
