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

async function through(chunks, transform) {
  const results = [];
  const stream = ReadableStream.from(chunks).pipeThrough(transform);
  for await (const result of stream) results.push(result);
  return results;
}

test("streams give what they give without workers, in order", async () => {
  const texts = Array.from({ length: 200 }, (_, i) => `${"ab".repeat(i)} c\n`);
  for (const options of [{}, { lines: true, addBos: true }]) {
    const found = await through(texts, inWorkers.encodeStream(options));
    const expected = await through(texts, tokenizer.encodeStream(options));
    assert.deepEqual(found, expected);
  }
  const ids = [...tokenizer.encode(TEXT), [8, 3], 10];
  const found = await through(ids, inWorkers.decodeStream());
  assert.deepEqual(found, await through(ids, tokenizer.decodeStream()));
  const wrong = inWorkers.encodeStream({ controlPieces: ["x"] });
  await assert.rejects(through(texts, wrong), { code: "INVALID_ARGUMENT" });
  await assert.rejects(through([99], inWorkers.decodeStream()), {
    code: "OUT_OF_RANGE",
  });
});

test("decoders know nothing of one another, wherever they are", async () => {
  const decoders = Array.from({ length: 5 }, () =>
    inWorkers.streamingDecoder(),
  );
  const texts = await Promise.all(
    decoders.map(async (decoder, i) => {
      const parts = [decoder.add(8), decoder.add([3, 6]), decoder.finish()];
      await inWorkers.encode("c".repeat(i));
      return (await Promise.all(parts)).join("");
    }),
  );
  assert.deepEqual(new Set(texts), new Set(["ab c"]));
  const [one, other] = decoders;
  one.free();
  one.free();
  await assert.rejects(one.add(8), { code: "FREED" });
  await assert.rejects(other.add(99), { code: "OUT_OF_RANGE" });
  assert.equal(await other.add(8), "ab", "still usable");
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
  const decoder = freed.streamingDecoder();
  const left = [freed.encode("ab"), freed.encode("c"), decoder.add(8)];
  freed.free();
  freed.free();
  const later = [freed.encode("ab"), freed.streamingDecoder().add(8)];
  for (const call of [...left, ...later, decoder.finish()])
    await assert.rejects(call, { code: "FREED" });
});
