// One token of an encoding, with all that can be said about it.

import type { PieceType } from "spmlite";
import type { Encoding } from "./encoding.ts";

export interface Token {
  /** Its place in the encoding, from 0. */
  readonly index: number;
  readonly id: number;
  readonly piece: string;
  readonly type: PieceType;
  readonly score: number;
  /** The part of the text that it covers; empty for a piece that the model added. */
  readonly surface: string;
  /** Where the surface lies, [begin, end), in UTF-16 units. */
  readonly span: readonly [number, number];
  /** The same in bytes of UTF-8. */
  readonly byteSpan: readonly [number, number];
  /** What it stands for: the byte of a byte piece, else the surface as UTF-8. */
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/** The token at a place, or nothing where the encoding has none there. */
export function tokenAt(encoding: Encoding, index: number): Token | undefined {
  const id = encoding.ids[index];
  const piece = id === undefined ? undefined : encoding.model.vocabulary.piece(id);
  if (piece === undefined) return undefined;
  const span = spanAt(encoding.offsets, index);
  const surface = encoding.text.slice(...span);
  return {
    index,
    id: piece.id,
    piece: piece.text,
    type: piece.type,
    score: piece.score,
    surface,
    span,
    byteSpan: spanAt(encoding.byteOffsets, index),
    bytes: piece.type === "BYTE" ? byteOf(piece.text) : encoder.encode(surface),
  };
}

/** What of a token is read as text: an unknown piece shows what was not known. */
export function tokenText(token: Token): string {
  if (token.type === "UNKNOWN") return token.surface;
  return token.type === "BYTE" ? token.piece.slice(3, 5) : token.piece;
}

function spanAt(offsets: Int32Array, index: number): [number, number] {
  return [offsets[2 * index] ?? 0, offsets[2 * index + 1] ?? 0];
}

// Byte pieces are spelled <0xHH>.
function byteOf(piece: string): Uint8Array {
  return Uint8Array.of(Number.parseInt(piece.slice(3, 5), 16));
}
