// A tokenizer.json is loaded like any other model, or the reason why not is said.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  convert,
  readTokenizerJson,
  SpmliteError,
  Tokenizer,
} from "../dist/index.js";
import { WorkerTokenizer } from "../dist/worker.js";
import { tinyModel } from "./tiny_model.mjs";

const UNKNOWN = { id: 0, content: "<unk>", special: true };

function tokenizer(changes = {}) {
  const vocab = [
    ["<unk>", 0],
    ["▁", -2.5],
    ["a", -3.25],
    ["b", -1],
  ];
  return {
    added_tokens: [UNKNOWN],
    pre_tokenizer: {
      type: "Metaspace",
      replacement: "▁",
      prepend_scheme: "always",
    },
    model: { type: "Unigram", unk_id: 0, vocab },
    ...changes,
  };
}

const blobOf = (value) => new Blob([JSON.stringify(value)]);

const TEXT = "b ax";
const IDS = [1, 3, 1, 2, 0];

test("a tokenizer.json is loaded", async () => {
  const loaded = await Tokenizer.load(blobOf(tokenizer()));
  assert.deepEqual([...loaded.encode(TEXT)], IDS);
});

test("a tokenizer.json is converted, or loaded at once", async () => {
  const blob = await convert(blobOf(tokenizer()));
  assert.deepEqual([...Tokenizer.fromBytes(blob).encode(TEXT)], IDS);
  const file = new TextEncoder().encode(JSON.stringify(tokenizer()));
  assert.deepEqual([...Tokenizer.fromBytes(file).encode(TEXT)], IDS);
});

test("without waiting, a tokenizer.json needs the readers", async () => {
  const file = new TextEncoder().encode(JSON.stringify(tokenizer()));
  const { Tokenizer: Fresh } = await import("../dist/index.js?readers");
  assert.throws(() => Fresh.fromBytes(file), {
    code: "INVALID_ARGUMENT",
    message: /prepare\(\{ readers: true \}\) before/,
  });
  await Fresh.prepare({ readers: true });
  assert.deepEqual([...Fresh.fromBytes(file).encode(TEXT)], IDS);
});

test("a tokenizer.json is loaded in workers", async () => {
  const loaded = await WorkerTokenizer.load(blobOf(tokenizer()));
  assert.deepEqual([...(await loaded.encode(TEXT))], IDS);
  loaded.free();
});

test("a tokenizer.json becomes a model", async () => {
  const { model, notes } = await readTokenizerJson(blobOf(tokenizer()));
  assert.deepEqual(notes, []);
  const loaded = await Tokenizer.load(model);
  assert.deepEqual([...loaded.encode(TEXT)], IDS);
});

test("what a model cannot hold is noted", async () => {
  const added_tokens = [UNKNOWN, { id: 9, content: "<image>", special: true }];
  const { notes } = await readTokenizerJson(
    blobOf(tokenizer({ added_tokens })),
  );
  assert.deepEqual(notes, ['left out, as not in model.vocab: "<image>"']);
});

test("other tokenizers are refused with the field's name", async () => {
  const cases = [
    [{ model: { type: "WordPiece" } }, /model\.type is "WordPiece"/],
    [{ pre_tokenizer: { type: "ByteLevel" } }, /this is byte-level BPE/],
    [
      {
        normalizer: { type: "NFC" },
        pre_tokenizer: {
          type: "Sequence",
          pretokenizers: [{ type: "Split" }, { type: "ByteLevel" }],
        },
      },
      /pre_tokenizer has the step ByteLevel: this is byte-level BPE/,
    ],
    [{ normalizer: { type: "NFKC" } }, /normalizer has the step/],
  ];
  for (const [changes, reason] of cases) {
    await assert.rejects(
      Tokenizer.load(blobOf(tokenizer(changes))),
      (error) => {
        assert.ok(error instanceof SpmliteError);
        assert.equal(error.code, "INVALID_MODEL");
        assert.match(error.message, reason);
        return true;
      },
    );
  }
  await assert.rejects(Tokenizer.load(new Blob(['{"'])), /this is not JSON/);
});

test("what is no tokenizer.json has no notes", async () => {
  await assert.rejects(readTokenizerJson(tinyModel()), {
    code: "INVALID_MODEL",
    message: "the model is no tokenizer.json",
  });
});
