// Hugging Face's tokenizer.json as a `.model`, with what that lacks.

import { convertIn } from "./converter.js";
import { SpmliteError } from "./errors.js";
import { kindOf } from "./kind.js";
import { instantiate, readersModule } from "./modules.js";
import { type ModelSource, type ReadOptions, readSource } from "./source.js";

/** A model, and what of the tokenizer it lacks. */
export interface TokenizerJsonModel {
  /** The bytes of a `.model`, for `Tokenizer.load` or `convert`. */
  readonly model: Uint8Array<ArrayBuffer>;
  /** A sentence each, such as on added tokens beyond the vocabulary. */
  readonly notes: readonly string[];
}

/**
 * Reads a tokenizer.json that was made from a SentencePiece model, BPE or Unigram, as
 * `Tokenizer.load` does, and tells what a model cannot hold of it.
 *
 * Rejects with the code `INVALID_MODEL` and names the field where it is another kind of
 * tokenizer, such as byte-level BPE or WordPiece. Takes some three times the file's size
 * in memory, which is free again afterwards.
 */
export async function readTokenizerJson(
  source: ModelSource,
  options: ReadOptions = {},
): Promise<TokenizerJsonModel> {
  const file = await readSource(source, options);
  if (kindOf(file) !== "json")
    throw new SpmliteError(
      "INVALID_MODEL",
      `${file.name} is no tokenizer.json`,
    );
  const instance = await instantiate(await readersModule.get());
  const { bytes, notes } = convertIn(instance, file);
  return { model: bytes.slice(), notes: notes.split("\n").slice(0, -1) };
}
