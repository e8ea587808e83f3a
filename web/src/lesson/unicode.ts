// A text taken apart: graphemes, their code points, and the bytes of each in UTF-8.

export interface CodePoint {
  readonly text: string;
  readonly value: number;
  readonly bytes: Uint8Array;
}

export interface Grapheme {
  readonly text: string;
  readonly codePoints: readonly CodePoint[];
}

export interface Lengths {
  readonly graphemes: number;
  readonly codePoints: number;
  readonly bytes: number;
  /** What JavaScript's `length` counts. */
  readonly utf16: number;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What a reader takes for one character; where Indic letters part depends on the browser. */
export function splitGraphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function takeApart(text: string): Grapheme[] {
  return splitGraphemes(text).map((grapheme) => ({
    text: grapheme,
    codePoints: Array.from(grapheme, codePointOf),
  }));
}

/** `character` is one code point. */
export function codePointOf(character: string): CodePoint {
  return {
    text: character,
    value: character.codePointAt(0) ?? 0,
    bytes: new TextEncoder().encode(character),
  };
}

export function measure(text: string): Lengths {
  return {
    graphemes: splitGraphemes(text).length,
    codePoints: Array.from(text).length,
    bytes: new TextEncoder().encode(text).length,
    utf16: text.length,
  };
}

/** Such as U+00E9: at least four hexadecimal digits. */
export function formatCodePoint(value: number): string {
  return `U+${value.toString(16).toUpperCase().padStart(4, "0")}`;
}

export function formatByte(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

/**
 * The bits of a byte of UTF-8, parted where its mark ends: 110 begins two bytes, 1110 three, 11110
 * four, 10 goes on, 0 stands alone.
 */
export function splitBits(byte: number): readonly [mark: string, payload: string] {
  const bits = byte.toString(2).padStart(8, "0");
  const end = bits.indexOf("0") + 1;
  return [bits.slice(0, end), bits.slice(end)];
}
