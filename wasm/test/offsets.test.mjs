// Where tokens lie, in the unit that is asked for, and what they show.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Tokenizer } from "../dist/index.js";
import { tinyModel } from "./tiny_model.mjs";

/** @type {Tokenizer} */
let tokenizer;

before(async () => {
  tokenizer = await Tokenizer.load(tinyModel());
});

const TEXT = "é🦙b";
// Of "▁", "é", "🦙" and "b".
const OFFSETS = {
  utf16: [0, 0, 0, 1, 1, 3, 3, 4],
  codePoints: [0, 0, 0, 1, 1, 2, 2, 3],
  bytes: [0, 0, 0, 2, 2, 6, 6, 7],
};

for (const [unit, expected] of Object.entries(OFFSETS)) {
  test(`offsets of a text in ${unit}`, () => {
    const encoding = tokenizer.encodeWithOffsets(TEXT, { unit });
    assert.deepEqual([...encoding.offsets], expected);
    assert.deepEqual([...encoding.byteOffsets], OFFSETS.bytes);
    assert.deepEqual(encoding.ids, tokenizer.encode(TEXT));
  });

  test(`offsets of a decoded text in ${unit}`, () => {
    const ids = tokenizer.encode(TEXT);
    const decoding = tokenizer.decodeWithOffsets(ids, { unit });
    assert.equal(decoding.text, TEXT);
    assert.deepEqual([...decoding.offsets], expected);
    assert.deepEqual([...decoding.byteOffsets], OFFSETS.bytes);
    assert.deepEqual(decoding.ids, ids);
  });
}

test("a piece is of the model, a surface of the text", () => {
  const { pieces, surfaces } = tokenizer.encodeWithOffsets("ab 🦙");
  assert.deepEqual(pieces, ["▁ab", "▁", "🦙"]);
  assert.deepEqual(surfaces, ["ab", " ", "🦙"]);
  const unknown = tokenizer.encodeWithOffsets("a☃☃b");
  assert.deepEqual(unknown.pieces, ["▁", "a", "☃☃", "b"]);
  assert.deepEqual(unknown.surfaces, ["", "a", "☃☃", "b"]);
});

test("what ids without a text and unknown ones give", () => {
  const { text, pieces, surfaces } = tokenizer.decodeWithOffsets([1, 8, 0, 2]);
  assert.equal(text, "ab ⁇ ");
  assert.deepEqual(pieces, ["<s>", "▁ab", "<unk>", "</s>"]);
  assert.deepEqual(surfaces, ["", "ab", " ⁇ ", ""]);
});

test("an empty text and no ids", () => {
  const { ids, pieces, surfaces } = tokenizer.encodeWithOffsets("");
  assert.deepEqual([ids.length, pieces, surfaces], [0, [], []]);
  const decoding = tokenizer.decodeWithOffsets([]);
  assert.deepEqual([decoding.text, decoding.offsets.length], ["", 0]);
});

test("another unit is an error", () => {
  for (const unit of ["bits", 1, null]) {
    const expected = { code: "INVALID_ARGUMENT", message: /unit/ };
    assert.throws(() => tokenizer.encodeWithOffsets("a", { unit }), expected);
    assert.throws(() => tokenizer.decodeWithOffsets([4], { unit }), expected);
  }
});
