// The part of a text around a token that is small enough to be looked at.

import type { Encoding } from "./encoding.ts";
import { type Token, tokenAt } from "./token.ts";

/** Tokens [begin, end) of an encoding. */
export interface Stretch {
  readonly begin: number;
  readonly end: number;
  /** Their text as the model sees it. */
  readonly text: string;
  readonly tokens: readonly Token[];
}

const MOST_CHARACTERS = 24;
const MARK = "\u2581";

/** The word that a token is in; of a word that is long, or of several, the tokens around it. */
export function stretchAround(encoding: Encoding, index: number): Stretch {
  let begin = characterBegin(encoding, index);
  let end = characterEnd(encoding, index + 1);
  const isLong = () => lengthOf(encoding, begin, end) >= MOST_CHARACTERS;
  while (begin > 0 && !beginsWord(encoding, begin) && !isLong()) {
    begin = characterBegin(encoding, begin - 1);
  }
  while (end < encoding.ids.length && !beginsWord(encoding, end) && !isLong()) {
    end = characterEnd(encoding, end + 1);
  }
  const tokens = tokensOf(encoding, begin, end);
  return { begin, end, text: seenText(tokens), tokens };
}

/** The text of tokens as the model sees it: byte pieces together spell characters. */
export function seenText(tokens: readonly Token[]): string {
  const encoder = new TextEncoder();
  const bytes = tokens.flatMap((token) => {
    if (token.type === "BYTE") return [...token.bytes];
    const text = token.type === "UNKNOWN" ? token.surface.replaceAll(" ", MARK) : token.piece;
    return [...encoder.encode(text)];
  });
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

// A character of several byte pieces begins where they begin together.
function characterBegin({ offsets }: Encoding, token: number): number {
  let begin = token;
  while (begin > 0 && offsets[2 * begin - 2] === offsets[2 * begin]) begin--;
  return begin;
}

function characterEnd({ offsets, ids }: Encoding, token: number): number {
  let end = token;
  while (end < ids.length && offsets[2 * end - 2] === offsets[2 * end]) end++;
  return end;
}

function beginsWord(encoding: Encoding, index: number): boolean {
  const piece = tokenAt(encoding, index)?.piece ?? "";
  return piece.startsWith(MARK) || piece === "\n";
}

function lengthOf({ offsets }: Encoding, begin: number, end: number): number {
  return (offsets[2 * end - 1] ?? 0) - (offsets[2 * begin] ?? 0);
}

function tokensOf(encoding: Encoding, begin: number, end: number): Token[] {
  return Array.from({ length: end - begin }, (_, i) => tokenAt(encoding, begin + i)).filter(
    (token) => token !== undefined,
  );
}

/** The line of the text that a place is in, and of a long one the part around the place. */
export function lineAround(text: string, place: number, mostUnits: number): string {
  const begin = text.lastIndexOf("\n", place - 1) + 1;
  const feed = text.indexOf("\n", place);
  const end = feed < 0 ? text.length : feed;
  if (end - begin <= mostUnits) return text.slice(begin, end);
  const from = Math.max(begin, Math.min(place - mostUnits / 2, end - mostUnits));
  return text.slice(from, from + mostUnits);
}
