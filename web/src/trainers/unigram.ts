// The unigram model (Kudo 2018, arXiv:1804.10959), small: begin with far too many pieces, estimate
// how probable each is, drop those that are missed least, and again.
//
// What SentencePiece does besides is left out: a suffix array to find the first pieces, the
// digamma function in place of a plain quotient, a quarter of the pieces dropped at a time.

import type { Word } from "./corpus.ts";

/** Pieces with the logarithm of their probability. */
export type UnigramModel = ReadonlyMap<string, number>;

/** No piece of a small corpus is worth more characters than this. */
const LONGEST_PIECE = 12;
const LEAST_WORDS = 2;
/** So many at most, those that cover most of the text, to stay quick while one types. */
const MOST_SEEDS = 400;
const ROUNDS_AT_FIRST = 4;
const ROUNDS_BETWEEN = 1;
/** Of a character that the estimate would leave without any: every word stays expressible. */
const LEAST_EXPECTED = 1e-3;
/** Far below that of any piece: a character that was never seen stands alone. */
const UNKNOWN_SCORE = -100;

/**
 * All characters, and the longer runs of them that at least two different words share, much as
 * in SentencePiece: each with how many characters of the corpus it covers.
 */
export function seedPieces(words: readonly Word[]): Map<string, number> {
  const runs = Array.from(countRuns(words), ([run, { words: sharers, count }]) => ({
    run,
    sharers,
    covered: count * Array.from(run).length,
  }));
  const longer = runs
    .filter(({ run, sharers }) => !isCharacter(run) && sharers >= LEAST_WORDS)
    .sort((a, b) => b.covered - a.covered)
    .slice(0, MOST_SEEDS);
  const characters = runs.filter(({ run }) => isCharacter(run));
  return new Map([...characters, ...longer].map(({ run, covered }) => [run, covered]));
}

interface RunCount {
  /** How many different words hold it. */
  readonly words: number;
  /** How often it occurs in the corpus. */
  readonly count: number;
}

function countRuns(words: readonly Word[]): Map<string, RunCount> {
  const counts = new Map<string, RunCount>();
  for (const { text, count } of words) {
    const runs = runsOf(text);
    for (const run of new Set(runs)) {
      const times = count * runs.filter((each) => each === run).length;
      const before = counts.get(run) ?? { words: 0, count: 0 };
      counts.set(run, { words: before.words + 1, count: before.count + times });
    }
  }
  return counts;
}

/** Every run of characters in a word, as often as it lies there. */
function runsOf(word: string): string[] {
  const characters = Array.from(word);
  return characters.flatMap((_, begin) => {
    const last = Math.min(characters.length, begin + LONGEST_PIECE);
    return Array.from({ length: last - begin }, (_, i) =>
      characters.slice(begin, begin + i + 1).join(""),
    );
  });
}

/**
 * A model for every number of pieces beyond the characters, from all seeds down to none: what a
 * smaller one holds, a larger one holds too. Entry `n` has `n` pieces that are no single character.
 */
export function trainUnigram(words: readonly Word[]): UnigramModel[] {
  let model = estimate(words, asLogProbabilities(seedPieces(words)), ROUNDS_AT_FIRST);
  const models = [model];
  for (;;) {
    const least = leastMissed(words, model);
    if (least === undefined) return models.reverse();
    const smaller = new Map(model);
    smaller.delete(least);
    model = estimate(words, smaller, ROUNDS_BETWEEN);
    models.push(model);
  }
}

/** The most probable way to spell the word in pieces. */
export function encodeUnigram(word: string, model: UnigramModel): string[] {
  return bestSegmentation(Array.from(word), model).pieces;
}

function isCharacter(piece: string): boolean {
  return Array.from(piece).length === 1;
}

/** Expectation and maximization: count the pieces of all spellings by how probable each is. */
function estimate(words: readonly Word[], model: UnigramModel, rounds: number): UnigramModel {
  let current = model;
  for (let round = 0; round < rounds; round++) {
    const expected = new Map<string, number>();
    for (const piece of current.keys())
      expected.set(piece, isCharacter(piece) ? LEAST_EXPECTED : 0);
    for (const word of words) addExpectedCounts(word, current, expected);
    // A piece that no spelling wants keeps a probability, though hardly any, until it is dropped.
    for (const [piece, count] of expected) expected.set(piece, Math.max(count, Number.EPSILON));
    current = asLogProbabilities(expected);
  }
  return current;
}

function asLogProbabilities(counts: ReadonlyMap<string, number>): UnigramModel {
  const sum = [...counts.values()].reduce((a, b) => a + b, 0);
  return new Map(Array.from(counts, ([piece, count]) => [piece, Math.log(count / sum)]));
}

interface Edge {
  readonly begin: number;
  readonly end: number;
  readonly piece: string;
  readonly score: number;
}

/** All pieces that lie anywhere in the word, by where they end; `leftOut` as if it were none. */
function edgesOf(characters: readonly string[], model: UnigramModel, leftOut?: string): Edge[] {
  const edges: Edge[] = [];
  for (let end = 1; end <= characters.length; end++) {
    for (let begin = Math.max(0, end - LONGEST_PIECE); begin < end; begin++) {
      const piece = characters.slice(begin, end).join("");
      const score = model.get(piece) ?? (end - begin === 1 ? UNKNOWN_SCORE : undefined);
      if (score !== undefined && piece !== leftOut) edges.push({ begin, end, piece, score });
    }
  }
  return edges;
}

/** Forward and backward sums over all spellings of the word. */
function addExpectedCounts(word: Word, model: UnigramModel, counts: Map<string, number>): void {
  const characters = Array.from(word.text);
  const edges = edgesOf(characters, model);
  const forward = new Float64Array(characters.length + 1);
  const backward = new Float64Array(characters.length + 1);
  forward[0] = 1;
  backward[characters.length] = 1;
  for (const { begin, end, score } of edges) {
    forward[end] = at(forward, end) + at(forward, begin) * Math.exp(score);
  }
  for (const { begin, end, score } of edges.reverse()) {
    backward[begin] = at(backward, begin) + at(backward, end) * Math.exp(score);
  }
  for (const { begin, end, piece, score } of edges) {
    const share = (at(forward, begin) * Math.exp(score) * at(backward, end)) / at(backward, 0);
    counts.set(piece, (counts.get(piece) ?? 0) + word.count * share);
  }
}

function at(sums: Float64Array, place: number): number {
  return sums[place] ?? 0;
}

/** The piece whose loss lowers the likelihood of the corpus least; no single character. */
function leastMissed(words: readonly Word[], model: UnigramModel): string | undefined {
  const uses = new Map<string, number>();
  for (const { text, count } of words) {
    for (const piece of encodeUnigram(text, model)) {
      uses.set(piece, (uses.get(piece) ?? 0) + count);
    }
  }
  const losses = Array.from(model, ([piece, score]) => ({
    piece,
    score,
    loss: (uses.get(piece) ?? 0) * (score - bestWithout(piece, model)),
  })).filter(({ piece }) => !isCharacter(piece));
  // Of those that no best spelling uses the least probable goes.
  const compare = (a: (typeof losses)[0], b: (typeof losses)[0]) =>
    a.loss - b.loss || a.score - b.score;
  return losses.sort(compare)[0]?.piece;
}

/** The score of the best spelling of a piece in other pieces. */
function bestWithout(piece: string, model: UnigramModel): number {
  return isCharacter(piece) ? 0 : bestSegmentation(Array.from(piece), model, piece).score;
}

interface Segmentation {
  readonly pieces: string[];
  readonly score: number;
}

/** Viterbi's way: the best spelling up to each place, then back along it. */
function bestSegmentation(
  characters: readonly string[],
  model: UnigramModel,
  leftOut?: string,
): Segmentation {
  const best: (Edge & { readonly total: number })[] = [];
  const totalAt = (place: number) => (place === 0 ? 0 : (best[place]?.total ?? -Infinity));
  for (const edge of edgesOf(characters, model, leftOut)) {
    const total = totalAt(edge.begin) + edge.score;
    if (total > totalAt(edge.end)) best[edge.end] = { ...edge, total };
  }
  return { pieces: backwards(characters, best), score: totalAt(characters.length) };
}

function backwards(characters: readonly string[], best: readonly Edge[]): string[] {
  const pieces: string[] = [];
  for (let place = characters.length; place > 0; ) {
    const edge = best[place];
    pieces.unshift(edge?.piece ?? (characters[place - 1] as string));
    place = edge?.begin ?? place - 1;
  }
  return pieces;
}
