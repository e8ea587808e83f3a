// spmlite/tokenizer-json: a tokenizer.json becomes a model, or the reason why not is said.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SpmliteError, Tokenizer } from "../dist/index.js";
import { readTokenizerJson } from "../dist/tokenizer-json.js";

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

test("a tokenizer.json becomes a model that loads", async () => {
  const { model, notes } = await readTokenizerJson(blobOf(tokenizer()));
  assert.deepEqual(notes, []);
  const loaded = await Tokenizer.load(model);
  assert.deepEqual([...loaded.encode("b ax")], [1, 3, 1, 2, 0]);
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
    [{ normalizer: { type: "NFKC" } }, /normalizer has the step/],
  ];
  for (const [changes, reason] of cases) {
    await assert.rejects(
      readTokenizerJson(blobOf(tokenizer(changes))),
      (error) => {
        assert.ok(error instanceof SpmliteError);
        assert.equal(error.code, "INVALID_MODEL");
        assert.match(error.message, reason);
        return true;
      },
    );
  }
  await assert.rejects(readTokenizerJson(new Blob(["{"])), /this is not JSON/);
});

test("where a model is loaded, JSON is told where to go", async () => {
  await assert.rejects(
    Tokenizer.load(blobOf(tokenizer())),
    /readTokenizerJson of spmlite\/tokenizer-json/,
  );
});
