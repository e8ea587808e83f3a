import { transfer } from "comlink";
import { Tokenizer } from "spmlite";
import { parseIds } from "../engine/id-list.ts";
import { rowStarts } from "../engine/token-rows.ts";
import { changed, type TextChange } from "../text/change.ts";
import { bestCuts, drawCuts } from "./cuts.ts";
import { exportTokens } from "./export.ts";
import { latticeOf } from "./lattice.ts";
import { mergeHistory } from "./merges.ts";
import type {
  DrawnCut,
  Draws,
  EncodedText,
  ExportFormat,
  Lattice,
  MergeHistory,
  ModelFacts,
  RoundTrip,
  ScoredCut,
} from "./messages.ts";
import { PieceTeller } from "./piece-teller.ts";
import { compareDecoded } from "./round-trip.ts";
import { PieceFinder } from "./stretch.ts";

/** One model and what the page asks of it. Errors are sentences for the user. */
export class ModelEngine {
  #tokenizer: Tokenizer | undefined;
  #teller: PieceTeller | undefined;
  #finder: PieceFinder | undefined;
  #text = "";
  /** Of the text. */
  #ids = new Int32Array();

  async open(file: File): Promise<ModelFacts> {
    const start = performance.now();
    const tokenizer = await Tokenizer.load(file, { sampling: true });
    const loadMilliseconds = performance.now() - start;
    this.#tokenizer = tokenizer;
    this.#teller = new PieceTeller(tokenizer);
    const { modelType, vocabSize } = tokenizer;
    return { modelType, vocabSize, byteLength: file.size, loadMilliseconds };
  }

  /** The text that was encoded last (the empty one at first), with a change. */
  encode(change: TextChange): EncodedText {
    const tokenizer = this.#opened();
    this.#text = changed(this.#text, change);
    const start = performance.now();
    const { ids, offsets, byteOffsets } = tokenizer.encodeWithOffsets(this.#text);
    const encodeMilliseconds = performance.now() - start;
    this.#ids = ids.slice();
    const rows = rowStarts(this.#text, offsets);
    const newPieces = (this.#teller as PieceTeller).newAmong(ids);
    const encoded = { ids, offsets, byteOffsets, rows, newPieces, encodeMilliseconds };
    return transfer(encoded, [
      ...[ids.buffer, offsets.buffer, byteOffsets.buffer, rows.buffer],
      ...[newPieces.ids.buffer, newPieces.ends.buffer, newPieces.scores.buffer],
    ]);
  }

  /** Of the text that was encoded last. */
  roundTrip(): RoundTrip {
    return compareDecoded(this.#text, this.#opened().decode(this.#ids));
  }

  /** `list` has ids as people write them. */
  decode(list: string): string {
    return this.#opened().decode(parseIds(list));
  }

  export(text: string, format: ExportFormat): Blob {
    return exportTokens(this.#opened(), text, format);
  }

  /**
   * How a stretch of text, as the model sees it, becomes its pieces; nothing for models of words
   * or characters, which only look pieces up.
   */
  derive(stretch: string): MergeHistory | Lattice | undefined {
    const tokenizer = this.#opened();
    this.#finder ??= new PieceFinder(tokenizer);
    if (tokenizer.modelType === "BPE") return mergeHistory(stretch, this.#finder);
    if (tokenizer.modelType === "UNIGRAM") return latticeOf(stretch, this.#finder);
    return undefined;
  }

  /** Of a Unigram model alone. */
  bestCuts(text: string, size: number): ScoredCut[] {
    return bestCuts(this.#opened(), text, size);
  }

  /** Of a Unigram or BPE model. */
  drawCuts(text: string, draws: Draws): DrawnCut[] {
    return drawCuts(this.#opened(), text, draws);
  }

  #opened(): Tokenizer {
    if (this.#tokenizer === undefined) throw new Error("No model is open");
    return this.#tokenizer;
  }
}
