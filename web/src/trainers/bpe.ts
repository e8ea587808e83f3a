// Byte pair encoding: join the pair that occurs most often, count anew, and again
// (Sennrich et al. 2016, arXiv:1508.07909). It does not mind what the symbols are: characters,
// characters with a mark, bytes.

import type { SpelledWord } from "./corpus.ts";
import { countPairs, firstBest, joinPair, joinPairInAll } from "./pairs.ts";

/** Two neighbours that become one. */
export interface JoinedPair {
  readonly left: string;
  readonly right: string;
  /** What the two are together. */
  readonly piece: string;
}

export interface Merge extends JoinedPair {
  /** How often the pair occurred when it was chosen. */
  readonly count: number;
}

/** A pair that occurs once saves nothing anywhere else: training stops before it. */
const LEAST_COUNT = 2;

/** The merges in the order in which they are learned; of equals the pair met first wins. */
export function trainBpe(words: readonly SpelledWord[], mostMerges = Infinity): Merge[] {
  const merges: Merge[] = [];
  let spelled = words;
  while (merges.length < mostMerges) {
    const best = firstBest(countPairs(spelled), ({ count }) => count);
    if (best === undefined || best.count < LEAST_COUNT) break;
    const piece = best.left + best.right;
    merges.push({ ...best, piece });
    spelled = joinPairInAll(spelled, best, piece);
  }
  return merges;
}

/** The words after the merges; their order in the corpus stays. */
export function mergeWords(
  words: readonly SpelledWord[],
  merges: readonly Merge[],
): readonly SpelledWord[] {
  return words.map(({ symbols, count }) => ({ symbols: encodeBpe(symbols, merges), count }));
}

/** A word that may never have been seen: the merges are replayed in the order of learning. */
export function encodeBpe(
  symbols: readonly string[],
  merges: readonly JoinedPair[],
): readonly string[] {
  return merges.reduce<readonly string[]>(
    (current, merge) => joinPair(current, merge, merge.piece),
    symbols,
  );
}

export interface ReplayStep {
  readonly merge: Merge;
  /** The word after this merge. */
  readonly symbols: readonly string[];
  /** Whether the merge changed anything. */
  readonly applied: boolean;
}

/** The same, step by step. */
export function replayMerges(symbols: readonly string[], merges: readonly Merge[]): ReplayStep[] {
  let current = symbols;
  return merges.map((merge) => {
    const after = joinPair(current, merge, merge.piece);
    const applied = after.length < current.length;
    current = after;
    return { merge, symbols: after, applied };
  });
}
