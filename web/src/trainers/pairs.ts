// Neighbouring symbols: counting them, and joining them everywhere.

import type { SpelledWord } from "./corpus.ts";

export interface Pair {
  readonly left: string;
  readonly right: string;
  /** How often it occurs in the corpus. */
  readonly count: number;
}

/** Every pair of neighbours, in the order in which each is met first. */
export function countPairs(words: readonly SpelledWord[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const { symbols, count } of words) {
    for (let i = 0; i + 1 < symbols.length; i++) {
      const [left, right] = [symbols[i] as string, symbols[i + 1] as string];
      // No symbol holds a space: words were split there.
      const key = `${left} ${right}`;
      pairs.set(key, { left, right, count: (pairs.get(key)?.count ?? 0) + count });
    }
  }
  return [...pairs.values()];
}

/** The symbols with `piece` in place of every `left` that `right` follows. */
export function joinPair(
  symbols: readonly string[],
  { left, right }: Pick<Pair, "left" | "right">,
  piece: string,
): string[] {
  const joined: string[] = [];
  for (let i = 0; i < symbols.length; i++) {
    const isPair = symbols[i] === left && symbols[i + 1] === right;
    joined.push(isPair ? piece : (symbols[i] as string));
    if (isPair) i++;
  }
  return joined;
}

export function joinPairInAll(
  words: readonly SpelledWord[],
  pair: Pick<Pair, "left" | "right">,
  piece: string,
): SpelledWord[] {
  return words.map(({ symbols, count }) => ({ symbols: joinPair(symbols, pair, piece), count }));
}

/** The first of those for which `score` is highest. */
export function firstBest<Item>(
  items: readonly Item[],
  score: (item: Item) => number,
): Item | undefined {
  let best: Item | undefined;
  for (const item of items) {
    if (best === undefined || score(item) > score(best)) best = item;
  }
  return best;
}
