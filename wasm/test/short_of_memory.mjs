// Run by memory.test.mjs where memory is short: prints the code of each failure.

import assert from "node:assert/strict";
import { SpmliteError, Tokenizer } from "../dist/index.js";
import { tinyModel } from "./tiny_model.mjs";

const TEXT = "ab c";
const tokenizer = await Tokenizer.load(tinyModel());
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

assert.deepEqual(tokenizer.encode(TEXT), expected);
console.log("short texts: the same ids");
