import assert from "node:assert/strict";
import { test } from "node:test";
import { countWords } from "../src/trainers/corpus.ts";
import { SPACE_MARK, withSpaceMark } from "../src/trainers/spelling.ts";
import { encodeUnigram, seedPieces, trainUnigram } from "../src/trainers/unigram.ts";
import { FOUR_WORDS } from "./corpora.ts";

const words = FOUR_WORDS.map(({ text, count }) => ({ text: SPACE_MARK + text, count }));
const models = trainUnigram(words);
const CHARACTERS = new Set(words.flatMap(({ text }) => Array.from(text))).size;

test("the seeds are all characters and what occurs twice", () => {
  const seeds = seedPieces(words);
  assert.equal(seeds.get("l"), 7);
  assert.equal(seeds.get("low"), 21);
  assert.equal(seeds.get(`${SPACE_MARK}low`), 28);
  assert.equal(seeds.has("xyz"), false);
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

test("more pieces never make the corpus longer at the ends: characters, then whole words", () => {
  assert.deepEqual(encodeUnigram(`${SPACE_MARK}lowest`, models[0] ?? new Map()), [
    ...withSpaceMark("lowest"),
  ]);
  for (const { text } of words) {
    assert.deepEqual(encodeUnigram(text, models.at(-1) ?? new Map()), [text]);
  }
});

test("the best spelling is the best of all spellings", () => {
  const model = models[12] ?? new Map<string, number>();
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
