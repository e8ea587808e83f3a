// Decoding as ids come in.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Tokenizer } from "../dist/index.js";
import { tinyModel } from "./tiny_model.mjs";

/** @type {Tokenizer} */
let tokenizer;

before(async () => {
  tokenizer = await Tokenizer.load(tinyModel());
});

const freed = { name: "SpmliteError", code: "FREED" };

test("ids become text one by one and in lists", () => {
  const decoder = tokenizer.streamingDecoder();
  assert.equal(decoder.add(8), "ab");
  assert.equal(decoder.add([3, 6]), " c");
  assert.equal(decoder.add(new Set([10])), "🦙");
  assert.equal(decoder.finish(), "");
  assert.equal(decoder.add([8]), "ab", "as new: its space is left out again");
});

test("where an id is out of range none is taken", () => {
  const decoder = tokenizer.streamingDecoder();
  const expected = { code: "OUT_OF_RANGE", message: /^id 13 .*0 to 12$/ };
  assert.throws(() => decoder.add([8, 13]), expected);
  assert.throws(() => decoder.add(1.5), { code: "INVALID_ARGUMENT" });
  assert.equal(decoder.add(8), "ab");
});

test("several decoders of a tokenizer know nothing of one another", () => {
  const decoders = Array.from({ length: 50 }, () =>
    tokenizer.streamingDecoder(),
  );
  const texts = decoders.map((decoder) => decoder.add([8, 3]));
  tokenizer.encode("c c c");
  decoders.forEach((decoder, i) => {
    texts[i] += decoder.add(6) + decoder.finish();
  });
  assert.deepEqual(new Set(texts), new Set(["ab c"]));
});

test("a decoder that was freed", () => {
  const decoder = tokenizer.streamingDecoder();
  decoder.add(8);
  decoder.free();
  decoder.free();
  assert.throws(() => decoder.add(8), freed);
  assert.throws(() => decoder.finish(), freed);
  const disposed = tokenizer.streamingDecoder();
  disposed[Symbol.dispose]();
  assert.throws(() => disposed.add(8), freed);
  assert.equal(tokenizer.streamingDecoder().add(8), "ab", "still usable");
});

test("a decoder ends with its tokenizer", async () => {
  const other = await Tokenizer.load(tinyModel());
  const decoder = other.streamingDecoder();
  other.free();
  assert.throws(() => decoder.add(8), freed);
  assert.throws(() => decoder.finish(), freed);
  decoder.free();
  assert.throws(() => other.streamingDecoder(), freed);
});
