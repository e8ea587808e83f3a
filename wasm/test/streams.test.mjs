// Streams from texts to ids and back.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Tokenizer } from "../dist/index.js";
import { tinyModel } from "./tiny_model.mjs";

/** @type {Tokenizer} */
let tokenizer;

before(async () => {
  tokenizer = await Tokenizer.load(tinyModel());
});

async function through(chunks, transform) {
  const results = [];
  const stream = ReadableStream.from(chunks).pipeThrough(transform);
  for await (const result of stream) results.push(result);
  return results;
}
const lists = (batch) => batch.map((ids) => [...ids]);

test("each chunk is a text", async () => {
  const found = await through(["ab", "", "c"], tokenizer.encodeStream());
  assert.deepEqual(lists(found), [[8], [], [3, 6]]);
});

test("each line is a text, wherever chunks end", async () => {
  const text = "ab\nc ab\r\n\nab";
  const expected = [[8], [3, 6, 8], [], [8]];
  const options = { lines: true };
  for (let size = 1; size <= text.length; ++size) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g"));
    const found = await through(chunks, tokenizer.encodeStream(options));
    assert.deepEqual(lists(found), expected, `chunks of ${size}`);
  }
  const ending = ["ab\n"];
  const one = await through(ending, tokenizer.encodeStream(options));
  assert.deepEqual(lists(one), [[8]]);
});

test("options of encoding are those of the stream", async () => {
  const stream = tokenizer.encodeStream({ addBos: true });
  assert.deepEqual(lists(await through(["ab"], stream)), [[1, 8]]);
});

test("ids, one or several at a time, become the text that they make together", async () => {
  const found = await through([8, [3, 6], 10], tokenizer.decodeStream());
  assert.deepEqual(found, ["ab", " c", "🦙"]);
});

test("an error ends the stream", async () => {
  await assert.rejects(through([7], tokenizer.encodeStream()), {
    code: "INVALID_ARGUMENT",
  });
  await assert.rejects(through([99], tokenizer.decodeStream()), {
    code: "OUT_OF_RANGE",
  });
});
