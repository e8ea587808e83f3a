// How a word is spelled before anything is learned: each kind of tokenizer has its own way.

/** Marks the end of a word, as a symbol of its own (Sennrich et al. 2016, arXiv:1508.07909). */
export const END_OF_WORD = "</w>";

/** Marks that a piece continues a word (Devlin et al. 2018, arXiv:1810.04805). */
export const CONTINUATION = "##";

/** U+2581 stands for a space (Kudo and Richardson 2018, arXiv:1808.06226). */
export const SPACE_MARK = "\u2581";

/** What stands for what no piece can express. */
export const UNKNOWN = "[UNK]";

/** Code points: `low` is l, o, w. */
export function asCharacters(word: string): string[] {
  return Array.from(word);
}

/** With the mark at the end: `low` is l, o, w, </w>. */
export function withEndMark(word: string): string[] {
  return [...word, END_OF_WORD];
}

/** All but the first with the mark of continuation: `low` is l, ##o, ##w. */
export function withContinuations(word: string): string[] {
  return Array.from(word, (character, i) => (i === 0 ? character : CONTINUATION + character));
}

/** With the space before it, which SentencePiece gives to the first word too: ▁, l, o, w. */
export function withSpaceMark(word: string): string[] {
  return [SPACE_MARK, ...word];
}

/** The bytes of UTF-8, two hexadecimal digits each: `low` is 6C, 6F, 77. */
export function asBytes(word: string): string[] {
  return Array.from(new TextEncoder().encode(word), (byte) =>
    byte.toString(16).toUpperCase().padStart(2, "0"),
  );
}
