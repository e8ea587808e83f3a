// What is read, and when.

import assert from "node:assert/strict";
import files from "node:fs/promises";
import { basename } from "node:path";
import { test } from "node:test";
import { tinyModel } from "./tiny_model.mjs";

test("where modules are files they are read when they are needed, once", async ({
  mock,
}) => {
  const readFile = mock.method(files, "readFile");
  const reads = () => {
    const { calls } = readFile.mock;
    readFile.mock.resetCalls();
    const names = calls.map((call) => basename(String(call.arguments[0])));
    return names.filter((name) => name.endsWith(".wasm"));
  };

  const { convert, Tokenizer } = await import("../dist/external.js");
  assert.deepEqual(reads(), [], "importing reads nothing");

  await assert.rejects(Tokenizer.load(new Uint8Array(8)));
  await Tokenizer.prepare();
  assert.deepEqual(reads(), ["spmlite.wasm"], "the runtime is read");

  const model = tinyModel();
  assert.throws(() => Tokenizer.fromBytes(model), {
    code: "INVALID_ARGUMENT",
    message: /prepare\(\{ converter: true \}\) before/,
  });
  const tokenizer = await Tokenizer.load(model);
  assert.deepEqual(reads(), ["spmlite-convert.wasm"], "a .model needs more");

  const blob = await convert(model);
  const again = await Tokenizer.load(blob);
  assert.deepEqual(again.encode("ab"), tokenizer.encode("ab"));
  assert.deepEqual(Tokenizer.fromBytes(model).encode("ab"), again.encode("ab"));
  assert.deepEqual(reads(), [], "both modules are kept");

  const file = {
    added_tokens: [{ id: 0, content: "<unk>", special: true }],
    pre_tokenizer: {
      type: "Metaspace",
      replacement: "▁",
      prepend_scheme: "never",
    },
    model: {
      type: "Unigram",
      unk_id: 0,
      vocab: [
        ["<unk>", 0],
        ["a", -1],
      ],
    },
  };
  const other = await Tokenizer.load(new Blob([JSON.stringify(file)]));
  assert.deepEqual([...other.encode("a")], [1]);
  assert.deepEqual(reads(), ["spmlite-readers.wasm"], "JSON needs one more");

  await Tokenizer.prepare({ sampling: true });
  assert.deepEqual(reads(), ["spmlite-sampling.wasm"]);
  const drawing = Tokenizer.fromBytes(blob, { sampling: true });
  assert.deepEqual(drawing.sample("ab", { alpha: 0 }), again.encode("ab"));
});

test("where they are inlined no file is read", async ({ mock }) => {
  const readFile = mock.method(files, "readFile");
  const { Tokenizer } = await import("../dist/index.js");
  await Tokenizer.load(tinyModel(), { sampling: true });
  const names = readFile.mock.calls.map((call) => String(call.arguments[0]));
  assert.ok(!names.some((name) => name.endsWith(".wasm")), String(names));
});

test("without waiting, what is there at once is enough for a .spm.fb", async () => {
  // A copy of the script of its own, in which nothing was loaded before.
  const { convert } = await import("../dist/index.js");
  const { Tokenizer } = await import("../dist/index.js?fresh");
  const blob = await convert(tinyModel());
  assert.throws(() => Tokenizer.fromBytes(tinyModel()), /converter: true/);
  assert.throws(() => Tokenizer.fromBytes(blob, { sampling: true }), {
    code: "INVALID_ARGUMENT",
    message: /prepare\(\{ sampling: true \}\) before/,
  });
  assert.deepEqual([...Tokenizer.fromBytes(blob).encode("ab")], [8]);
  assert.throws(() => Tokenizer.fromBytes("ab"), /ArrayBuffer/);
});
