// WordPiece as textbooks have it: join the pair that occurs most often for how common its two
// halves are. (Google never published its trainer; Schuster and Nakajima 2012 name the likelihood
// as what a merge must raise, of which this score is the usual reading.)

import type { Merge } from "./bpe.ts";
import type { SpelledWord } from "./corpus.ts";
import { countPairs, firstBest, joinPairInAll, type Pair } from "./pairs.ts";
import { CONTINUATION, UNKNOWN } from "./spelling.ts";

export interface ScoredMerge extends Merge {
  /** count(pair) / (count(left) · count(right)). */
  readonly score: number;
}

/** The merges in the order in which they are learned; of equals the pair met first wins. */
export function trainWordPiece(
  words: readonly SpelledWord[],
  mostMerges = Infinity,
): ScoredMerge[] {
  const merges: ScoredMerge[] = [];
  let spelled = words;
  while (merges.length < mostMerges) {
    const best = firstBest(scorePairs(spelled), ({ score }) => score);
    if (best === undefined) break;
    const piece = joinPieces(best.left, best.right);
    merges.push({ ...best, piece });
    spelled = joinPairInAll(spelled, best, piece);
  }
  return merges;
}

function scorePairs(words: readonly SpelledWord[]): (Pair & { readonly score: number })[] {
  const counts = new Map<string, number>();
  for (const { symbols, count } of words) {
    for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + count);
  }
  const countOf = (symbol: string) => counts.get(symbol) ?? 0;
  return countPairs(words).map((pair) => ({
    ...pair,
    score: pair.count / (countOf(pair.left) * countOf(pair.right)),
  }));
}

/** lo and ##w are low. */
function joinPieces(left: string, right: string): string {
  return left + right.slice(CONTINUATION.length);
}

/**
 * Encodes a word, which needs no merges but the vocabulary alone: the longest piece that the rest
 * of the word begins with, and again. Where there is none, the whole word is unknown.
 */
export function encodeWordPiece(
  word: string,
  vocabulary: ReadonlySet<string>,
  continuation = CONTINUATION,
): string[] {
  const characters = Array.from(word);
  const pieces: string[] = [];
  for (let begin = 0; begin < characters.length; ) {
    const mark = begin === 0 ? "" : continuation;
    let end = characters.length;
    while (end > begin && !vocabulary.has(mark + characters.slice(begin, end).join(""))) end--;
    if (end === begin) return [UNKNOWN];
    pieces.push(mark + characters.slice(begin, end).join(""));
    begin = end;
  }
  return pieces;
}
