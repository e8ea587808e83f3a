// A corpus, as trainers of tokenizers see it: words, each with how often it occurs.

export interface Word {
  readonly text: string;
  readonly count: number;
}

/** The words between white space, in the order in which each is met first. */
export function countWords(text: string): Word[] {
  const counts = new Map<string, number>();
  for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Array.from(counts, ([word, count]) => ({ text: word, count }));
}

export function splitWords(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}

/** A word as a sequence of symbols, with how often it occurs. */
export interface SpelledWord {
  readonly symbols: readonly string[];
  readonly count: number;
}

/** The words, each spelled by `spell`. */
export function spellWords(
  words: readonly Word[],
  spell: (word: string) => readonly string[],
): SpelledWord[] {
  return words.map(({ text, count }) => ({ symbols: spell(text), count }));
}

/** The different symbols, in the order in which each is met first. */
export function alphabetOf(words: readonly SpelledWord[]): string[] {
  return [...new Set(words.flatMap(({ symbols }) => symbols))];
}

/** How many symbols all words take, each as often as it occurs. */
export function countSymbols(words: readonly SpelledWord[]): number {
  return words.reduce((sum, { symbols, count }) => sum + symbols.length * count, 0);
}
