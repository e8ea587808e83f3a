// Ways to cut a text other than the best one.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Tokenizer } from "../dist/index.js";
import { tinyModel, tinyUnigramModel } from "./tiny_model.mjs";

/** @type {Tokenizer} */
let bpe;
/** @type {Tokenizer} */
let unigram;

before(async () => {
  bpe = await Tokenizer.load(tinyModel(), { sampling: true });
  unigram = await Tokenizer.load(tinyUnigramModel(), { sampling: true });
});

const invalid = (message) => ({ code: "INVALID_ARGUMENT", message });

/** The different draws of a text, and how often each came. */
function draws(tokenizer, text, options) {
  const counts = new Map();
  for (let seed = 0; seed < 2_000; ++seed) {
    const ids = tokenizer.sample(text, { ...options, seed }).join();
    counts.set(ids, (counts.get(ids) ?? 0) + 1);
  }
  return counts;
}

test("a Unigram model draws in proportion to the probability", () => {
  // Of the scores -8, -3 - 7 and -3 - 4 - 5.
  const counts = draws(unigram, "ab", { alpha: 0.5 });
  const powers = { 8: -8, "3,7": -10, "3,4,5": -12 };
  const whole = Object.values(powers).reduce(
    (sum, p) => sum + Math.exp(p / 2),
    0,
  );
  assert.deepEqual([...counts.keys()].sort(), Object.keys(powers).sort());
  for (const [ids, power] of Object.entries(powers)) {
    const share = Math.exp(power / 2) / whole;
    const deviation = Math.sqrt(2_000 * share * (1 - share));
    const off = Math.abs(counts.get(ids) - 2_000 * share);
    console.log(`${ids}: ${counts.get(ids)} of 2000, ${share} expected`);
    assert.ok(off < 4 * deviation, `${ids}: ${off}`);
  }
});

test("of the two best ones alone, and of the best one", () => {
  const two = draws(unigram, "ab", { alpha: 0, nbestSize: 2 });
  assert.deepEqual([...two.keys()].sort(), ["3,7", "8"]);
  const one = draws(unigram, "ab", { alpha: 0, nbestSize: 1 });
  assert.deepEqual([...one.keys()], ["8"]);
});

test("a BPE model leaves merges out", () => {
  assert.deepEqual(bpe.sample("ab", { alpha: 0 }), bpe.encode("ab"));
  assert.deepEqual([...bpe.sample("ab", { alpha: 1 })], [3, 4, 5]);
  assert.equal(draws(bpe, "ab", { alpha: 0.5 }).size, 3);
});

test("a seed draws the same again, without one draws differ", () => {
  const text = "ab ".repeat(50);
  const options = { alpha: 0.3, seed: 2 ** 32 - 1 };
  assert.deepEqual(bpe.sample(text, options), bpe.sample(text, options));
  assert.notDeepEqual(
    bpe.sample(text, { alpha: 0.3 }),
    bpe.sample(text, { alpha: 0.3 }),
  );
});

test("the best ones come in order, with their scores", () => {
  const found = unigram.nbest("ab", 9);
  assert.deepEqual(
    found.map(({ ids, score }) => [[...ids], score]),
    [
      [[8], -8],
      [[3, 7], -10],
      [[3, 4, 5], -12],
    ],
  );
  const [best] = unigram.nbest("ab", 1);
  assert.deepEqual([[...best.ids], best.score], [[8], 0]);
  assert.equal(unigram.nbest("", 4).length, 1);
});

test("what does not go is said", async () => {
  assert.throws(() => bpe.nbest("ab", 2), invalid(/Unigram/));
  for (const size of [0, -1, 513, 1.5, "2", undefined])
    assert.throws(() => unigram.nbest("ab", size), invalid(/size/));
  for (const seed of [-1, 2 ** 32, 0.5, Number.NaN])
    assert.throws(() => bpe.sample("ab", { seed }), invalid(/seed/));
  for (const alpha of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e39])
    assert.throws(() => bpe.sample("ab", { alpha }), invalid(/alpha/));
  for (const nbestSize of [513, 0.5])
    assert.throws(() => bpe.sample("ab", { nbestSize }), invalid(/nbestSize/));
  assert.throws(() => bpe.sample(7), invalid(/string/));
  const small = await Tokenizer.load(tinyUnigramModel());
  assert.throws(() => small.sample("ab"), invalid(/sampling: true/));
  assert.throws(() => small.nbest("ab", 2), invalid(/sampling: true/));
  small.free();
  assert.throws(() => small.sample("ab"), { code: "FREED" });
  assert.throws(() => small.nbest("ab", 2), { code: "FREED" });
});
