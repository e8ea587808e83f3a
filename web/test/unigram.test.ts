import assert from "node:assert/strict";
import { test } from "node:test";
import { countWords } from "../src/trainers/corpus.ts";
import { SPACE_MARK, withSpaceMark } from "../src/trainers/spelling.ts";
import { encodeUnigram, seedPieces, trainUnigram } from "../src/trainers/unigram.ts";
import { FOUR_WORDS } from "./corpora.ts";

const words = FOUR_WORDS.map(({ text, count }) => ({ text: SPACE_MARK + text, count }));
const models = trainUnigram(words);
const CHARACTERS = new Set(words.flatMap(({ text }) => Array.from(text))).size;

test("the seeds are all characters and what two words share", () => {
  const seeds = seedPieces(words);
  assert.deepEqual(
    [...seeds.keys()].filter((piece) => piece.length > 1).sort(),
    ["es", "est", "lo", "low", "ow", "st", "we", "▁l", "▁lo", "▁low"].sort(),
  );
  assert.equal(seeds.get("l"), 7);
  assert.equal(seeds.get("▁low"), 28);
  assert.equal(seeds.get("est"), 15);
});

test("there is a model for every number of pieces, and a smaller one lies in a larger one", () => {
  models.forEach((model, n) => {
    assert.equal(model.size, CHARACTERS + n);
    for (const piece of model.keys()) assert.ok(models[n + 1]?.has(piece) ?? true, piece);
  });
});

test("probabilities sum to one", () => {
  for (const model of models) {
    const sum = [...model.values()].reduce((a, score) => a + Math.exp(score), 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`);
  }
});

test("with no piece learned a word is spelled in characters, with all in what words share", () => {
  const encode = (word: string, n: number) => encodeUnigram(word, models.at(n) ?? new Map());
  assert.deepEqual(encode("▁lowest", 0), withSpaceMark("lowest"));
  assert.deepEqual(encode("▁lowest", -1), ["▁low", "est"]);
  assert.deepEqual(encode("▁newest", -1), ["▁", "n", "e", "w", "est"]);
});

test("what is kept longest is what the corpus would miss most", () => {
  assert.deepEqual([...(models[2]?.keys() ?? [])].filter((piece) => piece.length > 1).sort(), [
    "est",
    "▁low",
  ]);
});

test("the best spelling is the best of all spellings", () => {
  const model = models.at(-1) ?? new Map<string, number>();
  for (const word of ["▁lowest", "▁newer", "▁widlow", "▁we"]) {
    const all = spellings(word, model);
    const best = all.reduce((a, b) => (scoreOf(b, model) > scoreOf(a, model) ? b : a));
    const found = encodeUnigram(word, model);
    assert.ok(Math.abs(scoreOf(found, model) - scoreOf(best, model)) < 1e-9, `${found} ${best}`);
  }
});

test("a character that was never seen stands alone, the rest is spelled as ever", () => {
  const model = models.at(-1) ?? new Map<string, number>();
  assert.deepEqual(encodeUnigram("▁low?▁low", model), ["▁low", "?", "▁low"]);
});

test("a corpus of nothing has one empty model", () => {
  assert.equal(trainUnigram(countWords("")).length, 1);
});

function spellings(word: string, model: ReadonlyMap<string, number>): string[][] {
  if (word === "") return [[]];
  const found: string[][] = [];
  for (let end = 1; end <= word.length; end++) {
    const piece = word.slice(0, end);
    if (!model.has(piece)) continue;
    found.push(...spellings(word.slice(end), model).map((rest) => [piece, ...rest]));
  }
  return found;
}

function scoreOf(pieces: readonly string[], model: ReadonlyMap<string, number>): number {
  return pieces.reduce((sum, piece) => sum + (model.get(piece) ?? Number.NEGATIVE_INFINITY), 0);
}
