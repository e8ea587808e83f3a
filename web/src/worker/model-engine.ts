import { transfer } from "comlink";
import { Tokenizer } from "spmlite";
import { parseIds } from "../engine/id-list.ts";
import { exportTokens } from "./export.ts";
import type { EncodedText, ExportFormat, ModelFacts, RoundTrip } from "./messages.ts";
import { PieceTeller } from "./piece-teller.ts";
import { compareDecoded } from "./round-trip.ts";

/** One model and what the page asks of it. Errors are sentences for the user. */
export class ModelEngine {
  #tokenizer: Tokenizer | undefined;
  #teller: PieceTeller | undefined;
  #last: { readonly text: string; readonly ids: Int32Array } = {
    text: "",
    ids: new Int32Array(),
  };

  async open(file: File): Promise<ModelFacts> {
    const start = performance.now();
    const tokenizer = await Tokenizer.load(file, { sampling: true });
    const loadMilliseconds = performance.now() - start;
    this.#tokenizer = tokenizer;
    this.#teller = new PieceTeller(tokenizer);
    const { modelType, vocabSize } = tokenizer;
    return { modelType, vocabSize, byteLength: file.size, loadMilliseconds };
  }

  encode(text: string): EncodedText {
    const tokenizer = this.#opened();
    const start = performance.now();
    tokenizer.encode(text);
    const encodeMilliseconds = performance.now() - start;
    const { ids, offsets, byteOffsets } = tokenizer.encodeWithOffsets(text);
    this.#last = { text, ids: ids.slice() };
    const newPieces = (this.#teller as PieceTeller).newAmong(ids);
    const encoded = { ids, offsets, byteOffsets, newPieces, encodeMilliseconds };
    return transfer(encoded, [
      ...[ids.buffer, offsets.buffer, byteOffsets.buffer],
      ...[newPieces.ids.buffer, newPieces.ends.buffer, newPieces.scores.buffer],
    ]);
  }

  /** Of the text that was encoded last. */
  roundTrip(): RoundTrip {
    const { text, ids } = this.#last;
    return compareDecoded(text, this.#opened().decode(ids));
  }

  /** `list` has ids as people write them. */
  decode(list: string): string {
    return this.#opened().decode(parseIds(list));
  }

  export(text: string, format: ExportFormat): Blob {
    return exportTokens(this.#opened(), text, format);
  }

  #opened(): Tokenizer {
    if (this.#tokenizer === undefined) throw new Error("No model is open");
    return this.#tokenizer;
  }
}
