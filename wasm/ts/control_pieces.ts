// Control pieces that are spelled out in a text; core knows nothing of them, as
// sentencepiece does not. The same as control_pieces.py of the Python package.

import { SpmliteError } from "./errors.js";

/** What has to be known of a model's vocabulary. */
export interface PieceLookup {
  vocabSize(): number;
  idToPiece(id: number): string;
  pieceToId(piece: string): number;
  type(id: number): number;
}

/** A part of a text: one without control pieces, or a control piece alone. */
export interface PlainPart {
  readonly text: string;
  readonly begin: number;
}
export interface ControlPart extends PlainPart {
  readonly id: number;
}
export type Part = PlainPart | ControlPart;

// PieceType of core/schema/sentencepiece_lite.fbs.
const CONTROL = 3;

// Finding all of a model means a look at each of its pieces.
const allOf = new WeakMap<PieceLookup, ControlPieces>();

export class ControlPieces {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #pattern: RegExp | undefined;

  private constructor(ids: ReadonlyMap<string, number>) {
    this.#ids = ids;
    const longestFirst = [...ids.keys()].sort((a, b) => b.length - a.length);
    if (longestFirst.length > 0)
      this.#pattern = new RegExp(longestFirst.map(escaped).join("|"), "gu");
  }

  /** All of a model. */
  static all(model: PieceLookup): ControlPieces {
    const known = allOf.get(model);
    if (known !== undefined) return known;
    const ids = new Map<string, number>();
    const size = model.vocabSize();
    for (let id = 0; id < size; ++id)
      if (model.type(id) === CONTROL) ids.set(model.idToPiece(id), id);
    const all = new ControlPieces(ids);
    allOf.set(model, all);
    return all;
  }

  /** Some of a model; an error for a piece that is none. */
  static some(pieces: Iterable<string>, model: PieceLookup): ControlPieces {
    return new ControlPieces(
      new Map(Array.from(pieces, (piece) => [piece, idOf(piece, model)])),
    );
  }

  /** A text in its parts, in order; those that are empty are left out. */
  cut(text: string): Part[] {
    if (this.#pattern === undefined) return text === "" ? [] : [plain(text, 0)];
    const parts: Part[] = [];
    let end = 0;
    for (const { 0: piece, index } of text.matchAll(this.#pattern)) {
      if (index > end) parts.push(plain(text.slice(end, index), end));
      const id = this.#ids.get(piece) ?? 0;
      parts.push({ id, text: piece, begin: index });
      end = index + piece.length;
    }
    if (end < text.length) parts.push(plain(text.slice(end), end));
    return parts;
  }
}

export function isControl(part: Part): part is ControlPart {
  return "id" in part;
}

function plain(text: string, begin: number): PlainPart {
  return { text, begin };
}

function idOf(piece: string, model: PieceLookup): number {
  const id = model.pieceToId(piece);
  const known = id >= 0 && model.idToPiece(id) === piece;
  if (known && model.type(id) === CONTROL) return id;
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `controlPieces: ${JSON.stringify(piece)} is no control piece of this model`,
  );
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
