// A tokenizer in workers.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { SpmliteError, Tokenizer } from "../dist/index.js";
import { WorkerTokenizer } from "../dist/worker.js";
import { tinyModel, tinyUnigramModel } from "./tiny_model.mjs";

const TEXT = "ab c é🦙<s> ab";
/** @type {Tokenizer} */
let tokenizer;
/** @type {WorkerTokenizer} */
let inWorkers;

before(async () => {
  const sampling = { sampling: true };
  tokenizer = await Tokenizer.load(tinyUnigramModel(), sampling);
  inWorkers = await WorkerTokenizer.load(tinyUnigramModel(), {
    ...sampling,
    workers: 2,
  });
});

test("each call gives what it gives without workers", async () => {
  const ids = tokenizer.encode(TEXT);
  const calls = {
    encode: [TEXT, { addBos: true, controlPieces: ["<s>"] }],
    encodeBatch: [[TEXT, "", "ab"], { addEos: true }],
    encodeWithOffsets: [TEXT, { unit: "bytes" }],
    count: [TEXT, { controlPieces: ["<s>"] }],
    isWithinLimit: [TEXT, 3, { controlPieces: ["<s>"] }],
    truncate: [TEXT, 3, { controlPieces: ["<s>"] }],
    split: [TEXT, 3, { overlap: 1, controlPieces: true }],
    decode: [ids],
    decodeBytes: [ids],
    decodeWithOffsets: [ids, { unit: "codePoints" }],
    sample: [TEXT, { seed: 7 }],
    nbest: [TEXT, 3],
    normalize: [TEXT],
    idToPiece: [8],
    pieceToId: ["ab"],
    score: [8],
    type: [1],
  };
  for (const [name, given] of Object.entries(calls)) {
    const found = await inWorkers[name](...given);
    assert.deepEqual(found, tokenizer[name](...given), name);
  }
  const facts = "vocabSize modelType unkId bosId eosId padId".split(" ");
  for (const fact of facts) assert.equal(inWorkers[fact], tokenizer[fact]);
  console.log(`${Object.keys(calls).length} calls in workers`);
});

test("many calls at once are all answered, each with its own", async () => {
  const texts = Array.from({ length: 500 }, (_, i) => "b".repeat(i));
  const counts = texts.map((text) => inWorkers.count(text));
  const expected = texts.map((text) => tokenizer.count(text));
  assert.deepEqual(await Promise.all(counts), expected);
  const batch = await inWorkers.encodeBatch(texts);
  assert.deepEqual(
    batch.map((ids) => ids.length),
    expected,
  );
});

test("an error is the same as without workers", async () => {
  for (const [call, code] of [
    [() => inWorkers.decode([99]), "OUT_OF_RANGE"],
    [() => inWorkers.encode(7), "INVALID_ARGUMENT"],
    [
      () => inWorkers.encode("ab", { controlPieces: ["x"] }),
      "INVALID_ARGUMENT",
    ],
    [() => inWorkers.encode("ab", { addBos: () => 1 }), "INVALID_ARGUMENT"],
  ]) {
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof SpmliteError, String(error));
      assert.equal(error.code, code);
      return true;
    });
  }
  const other = new Blob(["<!DOCTYPE html>"]);
  await assert.rejects(WorkerTokenizer.load(other), { code: "INVALID_MODEL" });
  await assert.rejects(WorkerTokenizer.load(other, { workers: 0 }), /workers/);
});

test("a call that is aborted, waiting or under way", async () => {
  const signal = AbortSignal.abort();
  const aborted = { name: "AbortError" };
  await assert.rejects(inWorkers.encode(TEXT, { signal }), aborted);
  const controller = new AbortController();
  const calls = Array.from({ length: 10 }, () =>
    inWorkers.count("b".repeat(100_000), { signal: controller.signal }),
  );
  controller.abort();
  for (const call of calls) await assert.rejects(call, aborted);
  assert.equal(await inWorkers.count("ab"), 1, "still usable");
  await assert.rejects(WorkerTokenizer.load(tinyModel(), { signal }), aborted);
});

test("freed, what is not answered yet rejects, and so does what follows", async () => {
  const freed = await WorkerTokenizer.load(tinyModel());
  const left = [freed.encode("ab"), freed.encode("c")];
  freed.free();
  freed.free();
  for (const call of [...left, freed.encode("ab")])
    await assert.rejects(call, { code: "FREED" });
});
