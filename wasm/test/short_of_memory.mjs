// Run by memory.test.mjs where memory is short: prints the code of each failure.

import assert from "node:assert/strict";
import { SpmliteError, Tokenizer } from "../dist/index.js";
import { tinyModel, tinyUnigramModel } from "./tiny_model.mjs";

const TEXT = "ab c";
const tokenizer = await Tokenizer.load(tinyUnigramModel(), { sampling: true });
const expected = tokenizer.encode(TEXT);

async function tell(name, call) {
  const error = await Promise.resolve()
    .then(call)
    .catch((error) => error);
  assert.ok(error instanceof SpmliteError, `${name}: ${error}`);
  assert.match(error.message, /memory/);
  console.log(`${name}: ${error.code}`);
}

// A model larger than the limit, by way of a field that readers skip.
const MEBIBYTE = 1 << 20;
const large = new Uint8Array(8 * MEBIBYTE);
large.set(tinyModel());
await tell("load", () => Tokenizer.load(large));

// Too long to be written; too long for the ids; and again.
await tell("encode", () => tokenizer.encode("b".repeat(8 * MEBIBYTE)));
await tell("encode", () => tokenizer.encode("b".repeat(1.5 * MEBIBYTE)));
await tell("encode", () => tokenizer.encode("b".repeat(1.5 * MEBIBYTE)));
await tell("decode", () => tokenizer.decode(new Int32Array(MEBIBYTE)));
await tell("normalize", () => tokenizer.normalize(" ".repeat(MEBIBYTE)));

// Calls that hold more than the text and the ids.
const long = "ab c".repeat(MEBIBYTE / 8);
const seed = { seed: 1 };
const decoder = tokenizer.streamingDecoder();
assert.equal(decoder.add(expected), TEXT);
await tell("encodeWithOffsets", () => tokenizer.encodeWithOffsets(long));
await tell("decodeWithOffsets", () =>
  tokenizer.decodeWithOffsets(new Int32Array(MEBIBYTE / 2)),
);
await tell("sample", () => tokenizer.sample(long, seed));
await tell("nbest", () => tokenizer.nbest(long, 2));

// A decoder ends with the instance that it was in.
assert.throws(() => decoder.finish(), { code: "FREED", message: /memory/ });
decoder.free();
const next = tokenizer.streamingDecoder();
await tell("add", () => next.add(new Int32Array(MEBIBYTE)));

assert.deepEqual(tokenizer.encode(TEXT), expected);
assert.equal(tokenizer.decodeWithOffsets(expected).text, TEXT);
assert.deepEqual(tokenizer.nbest(TEXT, 1)[0].ids, expected);
assert.equal(tokenizer.streamingDecoder().add(expected), TEXT);
console.log("short texts: the same ids");
