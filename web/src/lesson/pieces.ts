// A text at the granularities that need no training.

import { splitWords } from "../trainers/corpus.ts";
import { UNKNOWN } from "../trainers/spelling.ts";
import type { StripPiece } from "./strip.tsx";
import { codePointOf, formatByte } from "./unicode.ts";

/** Words between white space; the same word has the same id. */
export function wordPieces(text: string): StripPiece[] {
  const words = splitWords(text);
  const types = [...new Set(words)];
  return words.map((word) => ({ text: word, id: types.indexOf(word) }));
}

/** Code points, their numbers being the ids. */
export function characterPieces(text: string): StripPiece[] {
  return Array.from(text, (character) => ({ text: character, id: codePointOf(character).value }));
}

/** Bytes of UTF-8, their values being the ids. */
export function bytePieces(text: string): StripPiece[] {
  return Array.from(new TextEncoder().encode(text), (byte) => ({
    text: formatByte(byte),
    id: byte,
    type: "BYTE",
  }));
}

/** The id of every piece of a vocabulary, from 0. */
export function idsOf(vocabulary: readonly string[]): ReadonlyMap<string, number> {
  return new Map(vocabulary.map((piece, id) => [piece, id]));
}

/** Pieces of a vocabulary; what it lacks is shown as unknown. */
export function knownPieces(
  pieces: readonly string[],
  ids: ReadonlyMap<string, number>,
): StripPiece[] {
  return pieces.map((text) => {
    const id = ids.get(text);
    return id === undefined ? { text: UNKNOWN, type: "UNKNOWN" } : { text, id };
  });
}
