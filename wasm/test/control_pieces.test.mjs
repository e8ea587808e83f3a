// Control pieces that a text spells: counted, and kept whole where the text is cut.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Tokenizer } from "../dist/index.js";
import { tinyModel, tinyUnigramModel } from "./tiny_model.mjs";

const CONTROL = { controlPieces: ["<s>", "</s>"] };
const ALL = { controlPieces: true };
const TURNS = "<s>ab ab</s><s>c</s>"; // 1 1 1 1, 1 2 1

/** @type {Tokenizer[]} */
let tokenizers;

before(async () => {
  const models = [tinyModel(), tinyUnigramModel()];
  tokenizers = await Promise.all(models.map((model) => Tokenizer.load(model)));
});

test("what is counted is what is encoded", () => {
  for (const tokenizer of tokenizers) {
    for (const options of [CONTROL, ALL, {}, { controlPieces: ["<s>"] }]) {
      const { length } = tokenizer.encode(TURNS, options);
      assert.equal(tokenizer.count(TURNS, options), length);
      assert.ok(tokenizer.isWithinLimit(TURNS, length, options));
      assert.ok(!tokenizer.isWithinLimit(TURNS, length - 1, options));
    }
    assert.equal(tokenizer.count(TURNS, CONTROL), 8);
  }
});

test("a front is cut before a control piece, after it, or in the text between", () => {
  const fronts = ["", "<s>", "<s>ab", "<s>ab ab", "<s>ab ab</s>"];
  for (const tokenizer of tokenizers) {
    fronts.forEach((front, most) => {
      assert.equal(tokenizer.truncate(TURNS, most, CONTROL), front);
    });
    assert.equal(tokenizer.truncate(TURNS, 99, CONTROL), TURNS);
  }
});

test("parts hold control pieces whole", () => {
  const [tokenizer] = tokenizers;
  const texts = (most, overlap = 0) =>
    tokenizer
      .split(TURNS, most, { ...CONTROL, overlap })
      .map(({ text }) => text);
  assert.deepEqual(texts(3), ["<s>ab ab", "</s><s>", "c</s>"]);
  assert.deepEqual(texts(8), [TURNS]);
  assert.deepEqual(
    tokenizer.split("<s>ab ab ab", 3, { ...CONTROL, overlap: 1 }),
    [
      { text: "<s>ab ab", begin: 0, end: 8, tokenCount: 3 },
      { text: "ab ab", begin: 6, end: 11, tokenCount: 2 },
    ],
  );
});

/** The same numbers for every run. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

test("parts of any text: none too long, nothing lost", () => {
  const words = ["ab", " ", "c", "é🦙", "<s>", "</s>", "  ", "aab", "x", "<s"];
  const random = numbers(7);
  const below = (size) => Math.floor(random.next().value * size);
  let cut = 0;
  for (let round = 0; round < 600; ++round) {
    const tokenizer = tokenizers[round % 2];
    const text = Array.from(
      { length: below(40) },
      () => words[below(words.length)],
    ).join("");
    const most = 3 + below(10);
    const overlap = below(3);
    const parts = tokenizer.split(text, most, { ...CONTROL, overlap });
    const whole = tokenizer.encode(text, CONTROL);
    let total = 0;
    for (const { text: part, begin, end, tokenCount } of parts) {
      assert.equal(part, text.slice(begin, end));
      const ids = tokenizer.encode(part, CONTROL);
      assert.equal(tokenCount, ids.length, JSON.stringify([text, part]));
      assert.ok(tokenCount <= most, JSON.stringify([text, most, part]));
      total += tokenCount;
    }
    assert.ok(total >= whole.length - parts.length, JSON.stringify(text));
    const bounds = parts.map(({ begin, end }) => [begin, end]);
    for (let i = 1; i < bounds.length; ++i) {
      const between = text.slice(bounds[i - 1][1], bounds[i][0]);
      assert.equal(between.trim(), "", JSON.stringify([text, bounds]));
    }
    cut += parts.length;
  }
  console.log(`${cut} parts of 600 texts with control pieces`);
});
