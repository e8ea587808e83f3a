// The unigram model (Kudo 2018, arXiv:1804.10959), small: begin with far too many pieces, estimate
// how probable each is, drop those that are missed least, and again.
//
// What SentencePiece does besides is left out: a suffix array to find the first pieces, the
// digamma function in place of a plain quotient.

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
/** Of the pieces, between two estimates. */
const SHARE_DROPPED = 0.1;
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
  const seeds = asLogProbabilities(seedPieces(words));
  const corpus: Corpus = {
    words: words.map(({ text, count }) => ({ lattice: latticeOf(text, seeds), count })),
    pieces: new Map(Array.from(seeds.keys(), (piece) => [piece, latticeOf(piece, seeds)])),
  };
  let model = estimate(corpus, seeds, ROUNDS_AT_FIRST);
  const models = [model];
  for (;;) {
    const dropped = leastMissed(corpus, model);
    if (dropped.length === 0) return models.reverse();
    for (const piece of dropped) {
      model = without(model, piece);
      models.push(model);
    }
    models.pop();
    model = estimate(corpus, model, ROUNDS_BETWEEN);
    models.push(model);
  }
}

interface Corpus {
  readonly words: readonly { readonly lattice: Lattice; readonly count: number }[];
  /** Of every seed: how it can be spelled in others. */
  readonly pieces: ReadonlyMap<string, Lattice>;
}

function without(model: UnigramModel, piece: string): UnigramModel {
  const others = Array.from(model, ([each, score]): [string, number] => [each, Math.exp(score)]);
  return asLogProbabilities(new Map(others.filter(([each]) => each !== piece)));
}

/** The most probable way to spell the word in pieces. */
export function encodeUnigram(word: string, model: UnigramModel): string[] {
  return bestSegmentation(latticeOf(word, model), model).pieces;
}

function isCharacter(piece: string): boolean {
  return Array.from(piece).length === 1;
}

/** Expectation and maximization: count the pieces of all spellings by how probable each is. */
function estimate(corpus: Corpus, model: UnigramModel, rounds: number): UnigramModel {
  let current = model;
  for (let round = 0; round < rounds; round++) {
    const expected = new Map<string, number>();
    for (const piece of current.keys()) {
      expected.set(piece, isCharacter(piece) ? LEAST_EXPECTED : 0);
    }
    for (const { lattice, count } of corpus.words) {
      addExpectedCounts(lattice, count, current, expected);
    }
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
}

/** All pieces that lie anywhere in a word, by where they end; places count characters. */
interface Lattice {
  readonly length: number;
  readonly edges: readonly Edge[];
}

/** A character is an edge even where it is no piece: every word has a spelling. */
function latticeOf(word: string, pieces: UnigramModel): Lattice {
  const characters = Array.from(word);
  const edges: Edge[] = [];
  for (let end = 1; end <= characters.length; end++) {
    for (let begin = Math.max(0, end - LONGEST_PIECE); begin < end; begin++) {
      const piece = characters.slice(begin, end).join("");
      if (end - begin === 1 || pieces.has(piece)) edges.push({ begin, end, piece });
    }
  }
  return { length: characters.length, edges };
}

/** A lattice may be of a larger model: its edges that are no piece any more have no score. */
function scoreOf({ begin, end, piece }: Edge, model: UnigramModel): number | undefined {
  return model.get(piece) ?? (end - begin === 1 ? UNKNOWN_SCORE : undefined);
}

/** Forward and backward sums over all spellings of a word. */
function addExpectedCounts(
  { length, edges }: Lattice,
  count: number,
  model: UnigramModel,
  counts: Map<string, number>,
): void {
  const forward = new Float64Array(length + 1);
  const backward = new Float64Array(length + 1);
  forward[0] = 1;
  backward[length] = 1;
  const weighted = edges.flatMap((edge) => {
    const score = scoreOf(edge, model);
    return score === undefined ? [] : [{ ...edge, probability: Math.exp(score) }];
  });
  for (const { begin, end, probability } of weighted) {
    forward[end] = at(forward, end) + at(forward, begin) * probability;
  }
  for (const { begin, end, probability } of weighted.toReversed()) {
    backward[begin] = at(backward, begin) + at(backward, end) * probability;
  }
  for (const { begin, end, piece, probability } of weighted) {
    const share = (at(forward, begin) * probability * at(backward, end)) / at(backward, 0);
    counts.set(piece, (counts.get(piece) ?? 0) + count * share);
  }
}

function at(sums: Float64Array, place: number): number {
  return sums[place] ?? 0;
}

/**
 * The pieces whose loss lowers the likelihood of the corpus least, least first; no single
 * character. Of many a part goes at once, of few one.
 */
function leastMissed({ words, pieces }: Corpus, model: UnigramModel): string[] {
  const uses = new Map<string, number>();
  for (const { lattice, count } of words) {
    for (const piece of bestSegmentation(lattice, model).pieces) {
      uses.set(piece, (uses.get(piece) ?? 0) + count);
    }
  }
  const candidates = Array.from(model)
    .filter(([piece]) => !isCharacter(piece))
    .map(([piece, score]) => {
      const used = uses.get(piece) ?? 0;
      const lattice = pieces.get(piece);
      // What no best spelling uses is not missed at all.
      if (used === 0 || lattice === undefined) return { piece, score, loss: 0 };
      return { piece, score, loss: used * (score - bestSegmentation(lattice, model, piece).score) };
    })
    // Of those the least probable goes first.
    .sort((a, b) => a.loss - b.loss || a.score - b.score);
  const share = Math.max(1, Math.floor(candidates.length * SHARE_DROPPED));
  return candidates.slice(0, share).map(({ piece }) => piece);
}

interface Segmentation {
  readonly pieces: string[];
  readonly score: number;
}

/** Viterbi's way: the best spelling up to each place, then back along it. */
function bestSegmentation(
  { length, edges }: Lattice,
  model: UnigramModel,
  leftOut?: string,
): Segmentation {
  const best: Edge[] = [];
  const totals = [0];
  for (const edge of edges) {
    const score = edge.piece === leftOut ? undefined : scoreOf(edge, model);
    if (score === undefined) continue;
    const total = (totals[edge.begin] ?? -Infinity) + score;
    if (total <= (totals[edge.end] ?? -Infinity)) continue;
    totals[edge.end] = total;
    best[edge.end] = edge;
  }
  return { pieces: backwards(length, best), score: totals[length] ?? -Infinity };
}

function backwards(length: number, best: readonly Edge[]): string[] {
  const pieces: string[] = [];
  for (let place = length; place > 0; ) {
    const edge = best[place];
    if (edge === undefined) throw new Error(`no spelling reaches place ${place}`);
    pieces.unshift(edge.piece);
    place = edge.begin;
  }
  return pieces;
}
