// What is read, and when.

import assert from "node:assert/strict";
import files from "node:fs/promises";
import { basename } from "node:path";
import { mock, test } from "node:test";
import { convert } from "../dist/converter.js";
import { tinyModel } from "./tiny_model.mjs";

test("modules are read when they are needed, once", async () => {
  const readFile = mock.method(files, "readFile");
  const reads = () => {
    const { calls } = readFile.mock;
    readFile.mock.resetCalls();
    const names = calls.map((call) => basename(String(call.arguments[0])));
    return names.filter((name) => name.endsWith(".wasm"));
  };

  const { Tokenizer } = await import("../dist/index.js");
  assert.deepEqual(reads(), [], "importing reads nothing");

  await assert.rejects(Tokenizer.load(new Uint8Array(8)));
  assert.deepEqual(reads(), ["spmlite.wasm"], "the runtime is read");

  const model = tinyModel();
  const tokenizer = await Tokenizer.load(model);
  assert.deepEqual(reads(), ["spmlite-convert.wasm"], "a .model needs more");

  const blob = await convert({ name: "tiny", bytes: model });
  const again = await Tokenizer.load(blob);
  assert.deepEqual(again.encode("ab"), tokenizer.encode("ab"));
  assert.deepEqual(reads(), [], "both modules are kept");
});
