import type { PieceType, Tokenizer } from "spmlite";
import type { PieceTable } from "./messages.ts";

/** Tells of each piece once: a vocabulary may have 262,144, and a text needs few. */
export class PieceTeller {
  readonly #tokenizer: Tokenizer;
  /** 1 for an id that was told of. */
  readonly #told: Uint8Array;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.#told = new Uint8Array(tokenizer.vocabSize);
  }

  newAmong(ids: Int32Array): PieceTable {
    const fresh: number[] = [];
    for (const id of ids) {
      if (this.#told[id] !== 0) continue;
      this.#told[id] = 1;
      fresh.push(id);
    }
    return this.#tableOf(fresh);
  }

  #tableOf(ids: readonly number[]): PieceTable {
    const ends = new Int32Array(ids.length);
    const scores = new Float32Array(ids.length);
    const types: PieceType[] = [];
    let joined = "";
    ids.forEach((id, i) => {
      joined += this.#tokenizer.idToPiece(id);
      ends[i] = joined.length;
      scores[i] = this.#tokenizer.score(id);
      types.push(this.#tokenizer.type(id));
    });
    return { ids: Int32Array.from(ids), joined, ends, scores, types };
  }
}
