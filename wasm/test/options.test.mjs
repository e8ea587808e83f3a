// What can be asked of an encoding, and cutting to a number of tokens.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Tokenizer } from "../dist/index.js";
import { tinyModel, tinyModelWithoutBos } from "./tiny_model.mjs";

/** @type {Tokenizer} */
let tokenizer;

before(async () => {
  tokenizer = await Tokenizer.load(tinyModel());
});

const encode = (text, options) => [...tokenizer.encode(text, options)];
const invalid = (message) => ({ code: "INVALID_ARGUMENT", message });

test("bos, eos and the ids from last to first", () => {
  assert.deepEqual(encode("ab c", { addBos: true }), [1, 8, 3, 6]);
  assert.deepEqual(encode("ab c", { addEos: true }), [8, 3, 6, 2]);
  assert.deepEqual(encode("ab c", { reverse: true }), [6, 3, 8]);
  const all = { addBos: true, addEos: true, reverse: true };
  assert.deepEqual(encode("ab c", all), [1, 6, 3, 8, 2]);
  assert.deepEqual(encode("", all), [1, 2]);
});

test("control pieces are text unless they are asked for", () => {
  assert.ok(!encode("<s>ab").includes(1));
  assert.ok(!encode("<s>ab", { controlPieces: false }).includes(1));
  assert.deepEqual(encode("<s>ab", { controlPieces: true }), [1, 8]);
  const some = { controlPieces: ["</s>"] };
  assert.deepEqual(encode("ab</s></s>ab", some), [8, 2, 2, 8]);
  assert.ok(!encode("<s>ab", some).includes(1));
  assert.deepEqual(encode("ab", { controlPieces: [] }), [8]);
  assert.deepEqual(encode("", { controlPieces: true }), []);
  for (const piece of ["<pad>", "ab", ""])
    assert.throws(
      () => encode("ab", { controlPieces: [piece] }),
      invalid(/is no control piece of this model/),
    );
});

test("offsets go on behind a control piece, in every unit", () => {
  const text = "é🦙<s>b";
  for (const [unit, expected] of [
    ["utf16", [0, 0, 0, 1, 1, 3, 3, 6, 6, 6, 6, 7]],
    ["codePoints", [0, 0, 0, 1, 1, 2, 2, 5, 5, 5, 5, 6]],
    ["bytes", [0, 0, 0, 2, 2, 6, 6, 9, 9, 9, 9, 10]],
  ]) {
    const options = { unit, controlPieces: true };
    const found = tokenizer.encodeWithOffsets(text, options);
    assert.deepEqual([...found.offsets], expected, unit);
    assert.deepEqual(found.pieces, ["▁", "é", "🦙", "<s>", "▁", "b"]);
    assert.deepEqual(found.surfaces, ["", "é", "🦙", "<s>", "", "b"]);
    assert.deepEqual(
      [...found.byteOffsets],
      [0, 0, 0, 2, 2, 6, 6, 9, 9, 9, 9, 10],
    );
  }
});

test("ids written to where they are wanted", () => {
  const target = new Int32Array(6).fill(-1);
  assert.equal(tokenizer.encodeInto("ab c", target), 3);
  assert.deepEqual([...target], [8, 3, 6, -1, -1, -1]);
  assert.equal(tokenizer.encodeInto("ab c", target.subarray(4)), 3);
  assert.deepEqual([...target], [8, 3, 6, -1, 8, 3]);
  assert.equal(tokenizer.encodeInto("ab c", target, { addBos: true }), 4);
  assert.deepEqual([...target], [1, 8, 3, 6, 8, 3]);
  assert.throws(() => tokenizer.encodeInto("ab", []), invalid(/Int32Array/));
});

test("several texts at once", () => {
  const found = tokenizer.encodeBatch(new Set(["ab", "", "c"]), {
    addEos: true,
  });
  assert.deepEqual(
    found.map((ids) => [...ids]),
    [[8, 2], [2], [3, 6, 2]],
  );
  assert.throws(() => tokenizer.encodeBatch(["ab", 7]), invalid(/string/));
});

test("counting", () => {
  for (const text of ["", "ab", "ab c é🦙", "b".repeat(100_000)])
    assert.equal(tokenizer.count(text), tokenizer.encode(text).length);
  assert.ok(tokenizer.isWithinLimit("ab c", 3));
  assert.ok(!tokenizer.isWithinLimit("ab c", 2));
  assert.ok(tokenizer.isWithinLimit("", 0));
  assert.ok(tokenizer.isWithinLimit("ab", Number.POSITIVE_INFINITY));
});

test("a front of a text has few enough tokens, and the same", () => {
  const text = "ab ab ab c";
  assert.equal(tokenizer.truncate(text, 2), "ab ab");
  for (let most = 0; most < 8; ++most) {
    const front = tokenizer.truncate(text, most);
    assert.ok(text.startsWith(front));
    const ids = encode(front);
    assert.ok(ids.length <= most);
    assert.deepEqual(ids, encode(text).slice(0, ids.length));
  }
  assert.equal(tokenizer.truncate(text, Number.POSITIVE_INFINITY), text);
  assert.equal(tokenizer.truncate("🦙🦙", 2), "🦙");
});

test("parts of a text, with where they lie in it", () => {
  const text = "ab ab 🦙 c";
  for (const overlap of [0, 1]) {
    for (const part of tokenizer.split(text, 3, { overlap })) {
      assert.equal(part.text, text.slice(part.begin, part.end));
      assert.equal(part.tokenCount, tokenizer.count(part.text));
      assert.ok(part.tokenCount <= 3);
    }
  }
  const texts = (most, options) =>
    tokenizer.split("ab ab ab", most, options).map(({ text }) => text);
  assert.deepEqual(texts(2), ["ab ab", "ab"]);
  assert.deepEqual(texts(2, { overlap: 1 }), ["ab ab", "ab ab"]);
  assert.deepEqual(tokenizer.split("", 2), []);
});

test("numbers of tokens that mean nothing", () => {
  for (const most of [-1, 1.5, Number.NaN, "2", undefined]) {
    assert.throws(() => tokenizer.truncate("ab", most), invalid(/maxTokens/));
    assert.throws(() => tokenizer.isWithinLimit("ab", most), invalid(/max/));
    assert.throws(() => tokenizer.split("ab", most), invalid(/maxTokens/));
  }
  assert.throws(() => tokenizer.split("ab", 0), invalid(/maxTokens/));
  for (const overlap of [-1, 2, 0.5])
    assert.throws(
      () => tokenizer.split("ab", 2, { overlap }),
      invalid(/overlap/),
    );
});

test("ids become bytes of UTF-8", () => {
  const bytes = tokenizer.decodeBytes([8, 10]);
  assert.deepEqual([...bytes], [...new TextEncoder().encode("ab🦙")]);
  tokenizer.encode("c c c");
  assert.equal(new TextDecoder().decode(bytes), "ab🦙", "a copy");
});

test("bos and eos of a model that has none", async () => {
  const without = await Tokenizer.load(tinyModelWithoutBos());
  assert.equal(without.bosId, -1);
  for (const option of ["addBos", "addEos"])
    assert.throws(
      () => without.encode("ab", { [option]: true }),
      invalid(new RegExp(`^${option}: this model has no such piece`)),
    );
});
