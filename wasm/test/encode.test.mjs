// What a loaded tokenizer does with texts and ids.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Tokenizer } from "../dist/index.js";
import { PIECES, tinyModel } from "./tiny_model.mjs";

/** @type {Tokenizer} */
let tokenizer;

before(async () => {
  tokenizer = await Tokenizer.load(tinyModel());
});

const pieces = (text) => [...tokenizer.encode(text)].map((id) => PIECES[id]);

test("a text becomes the ids of its pieces", () => {
  const ids = tokenizer.encode("ab c");
  assert.ok(ids instanceof Int32Array);
  assert.deepEqual([...ids], [8, 3, 6]);
  assert.deepEqual(pieces("ab c"), ["▁ab", "▁", "c"]);
});

test("an empty text has no ids", () => {
  assert.equal(tokenizer.encode("").length, 0);
  const { ids, offsets, byteOffsets } = tokenizer.encodeWithOffsets("");
  assert.deepEqual([ids.length, offsets.length, byteOffsets.length], [0, 0, 0]);
});

test("ids stay as they are when more texts are encoded", () => {
  const first = tokenizer.encode("ab");
  tokenizer.encode("c c c c");
  assert.deepEqual([...first], [8]);
});

test("offsets count UTF-16 units, byte offsets bytes of UTF-8", () => {
  const text = "é🦙b";
  const { ids, offsets, byteOffsets } = tokenizer.encodeWithOffsets(text);
  assert.deepEqual(
    [...ids].map((id) => PIECES[id]),
    ["▁", "é", "🦙", "b"],
  );
  assert.deepEqual([...offsets], [0, 0, 0, 1, 1, 3, 3, 4]);
  assert.deepEqual([...byteOffsets], [0, 0, 0, 2, 2, 6, 6, 7]);
  assert.equal(text.slice(offsets[4], offsets[5]), "🦙");
});

test("a lone surrogate counts as U+FFFD and keeps the offsets right", () => {
  for (const text of ["a\uD83Eb", "a\uDD99b", "a\uD83E", "\uDD99\uD83E"]) {
    const wellFormed = text.replace(/[\uD83E\uDD99]/gu, "\uFFFD");
    assert.deepEqual(tokenizer.encode(text), tokenizer.encode(wellFormed));
    assert.deepEqual(
      tokenizer.encodeWithOffsets(text),
      tokenizer.encodeWithOffsets(wellFormed),
    );
  }
  const { offsets } = tokenizer.encodeWithOffsets("a\uD83Eb");
  assert.deepEqual([...offsets.subarray(-4)], [1, 2, 2, 3]);
});

test("a byte order mark and a NUL are characters like others", () => {
  assert.deepEqual(pieces("\uFEFFa"), ["▁", "\uFEFF", "a"]);
  assert.deepEqual(pieces("a\0b"), ["▁", "a", "<unk>", "b"]);
  assert.equal(tokenizer.decode([12, 4]), "\uFEFFa");
});

test("texts of any length and script fit", () => {
  for (const [text, id] of [
    ["b", 5],
    ["é", 9],
    ["🦙", 10],
  ]) {
    for (const count of [1, 5_000, 30_000, 100_000, 400_000]) {
      const ids = tokenizer.encode(text.repeat(count));
      assert.equal(ids.length, count + 1);
      assert.ok(ids.subarray(1).every((found) => found === id));
    }
  }
  const mixed = `${"b".repeat(200_000)}${"🦙".repeat(100_000)}`;
  assert.equal(tokenizer.decode(tokenizer.encode(mixed)), mixed);
});

test("ids become text, from any list of numbers", () => {
  const ids = [8, 3, 6];
  assert.equal(tokenizer.decode(ids), "ab c");
  assert.equal(tokenizer.decode(Int32Array.from(ids)), "ab c");
  assert.equal(tokenizer.decode(Uint16Array.from(ids)), "ab c");
  assert.equal(tokenizer.decode(new Set(ids)), "ab c");
  assert.equal(tokenizer.decode(ids.values()), "ab c");
  assert.equal(tokenizer.decode({ length: 1, 0: 8 }), "ab");
  assert.equal(tokenizer.decode([]), "");
});

test("normalizing shows the text as the model sees it", () => {
  assert.equal(tokenizer.normalize("a  b"), "▁a▁▁b");
  assert.equal(tokenizer.normalize(""), "");
});

test("pieces, ids, scores and types", () => {
  assert.equal(tokenizer.vocabSize, PIECES.length);
  assert.equal(tokenizer.modelType, "BPE");
  PIECES.forEach((piece, id) => {
    assert.equal(tokenizer.idToPiece(id), piece);
    assert.equal(tokenizer.pieceToId(piece), id);
  });
  assert.equal(tokenizer.pieceToId("no piece"), tokenizer.unkId);
  assert.equal(tokenizer.score(7), -7);
  assert.equal(tokenizer.type(0), "UNKNOWN");
  assert.equal(tokenizer.type(1), "CONTROL");
  assert.equal(tokenizer.type(7), "NORMAL");
});

test("special ids, -1 where the model has none", () => {
  const { unkId, bosId, eosId, padId } = tokenizer;
  assert.deepEqual([unkId, bosId, eosId, padId], [0, 1, 2, -1]);
});
