import type { PieceType } from "spmlite";
import type { PieceTable } from "../worker/messages.ts";

export interface Piece {
  readonly id: number;
  readonly text: string;
  readonly type: PieceType;
  readonly score: number;
}

/** What of a model's vocabulary the page has been told: every piece that it has to show. */
export class Vocabulary {
  readonly #pieces = new Map<number, Piece>();

  learn(table: PieceTable): void {
    table.ids.forEach((id, i) => {
      const text = table.joined.slice(table.ends[i - 1] ?? 0, table.ends[i]);
      const type = table.types[i] ?? "NORMAL";
      this.#pieces.set(id, { id, text, type, score: table.scores[i] ?? 0 });
    });
  }

  piece(id: number): Piece | undefined {
    return this.#pieces.get(id);
  }
}
