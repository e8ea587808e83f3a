// What of a model has to be known to cut a stretch of text as it does, and to tell why.

import type { PieceType, Tokenizer } from "spmlite";

export interface KnownPiece {
  readonly id: number;
  readonly type: PieceType;
  readonly score: number;
}

/** Looks pieces up; what takes a walk through the vocabulary is found out once. */
export class PieceFinder {
  readonly #tokenizer: Tokenizer;
  #userDefined: readonly string[] | undefined;
  #leastScore: number | undefined;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** The piece that is spelled so, of whatever type. */
  find(text: string): KnownPiece | undefined {
    const id = this.#tokenizer.pieceToId(text);
    if (id < 0 || (id === this.#tokenizer.unkId && this.#tokenizer.idToPiece(id) !== text)) {
      return undefined;
    }
    return { id, type: this.#tokenizer.type(id), score: this.#tokenizer.score(id) };
  }

  /** The longest user-defined piece at a place; it is never cut. */
  userDefinedAt(text: string, place: number): string | undefined {
    this.#userDefined ??= this.#piecesOf("USER_DEFINED").sort((a, b) => b.length - a.length);
    return this.#userDefined.find((piece) => text.startsWith(piece, place));
  }

  /** The least score of a normal piece. */
  leastScore(): number {
    this.#leastScore ??= this.#findLeastScore();
    return this.#leastScore;
  }

  #findLeastScore(): number {
    let least = Number.POSITIVE_INFINITY;
    for (let id = 0; id < this.#tokenizer.vocabSize; id++) {
      const score = this.#tokenizer.score(id);
      if (score < least && this.#tokenizer.type(id) === "NORMAL") least = score;
    }
    return least;
  }

  #piecesOf(type: PieceType): string[] {
    const pieces: string[] = [];
    for (let id = 0; id < this.#tokenizer.vocabSize; id++) {
      if (this.#tokenizer.type(id) === type) pieces.push(this.#tokenizer.idToPiece(id));
    }
    return pieces;
  }
}
