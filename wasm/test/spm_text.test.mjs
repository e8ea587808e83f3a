// `.spm`: a model as text is loaded and converted like any other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { convert, Tokenizer } from "../dist/index.js";

const PIECES = "PHVuaz4= 0.0 2\nYQ== -1.0 1\nYg== -2.0 1\nYWI= -3.0 1\n";
const TEXT = `# .spm 1
# trainer_spec.model_type: BPE
# normalizer_spec.name: "identity"
# normalizer_spec.add_dummy_prefix: false
${PIECES}`;

test("a model as text is loaded", async () => {
  const tokenizer = await Tokenizer.load(new Blob([TEXT]));
  assert.deepEqual([...tokenizer.encode("abb")], [3, 2]);
  assert.equal(tokenizer.decode([3, 2]), "abb");
  tokenizer.free();
});

test("a model as text is converted", async () => {
  const blob = await convert(new Blob([TEXT]));
  const tokenizer = await Tokenizer.load(blob);
  assert.deepEqual([...tokenizer.encode("ab")], [3]);
  tokenizer.free();
});

test("a line that is wrong is named by its number", async () => {
  for (const [text, message] of [
    [`${TEXT}YQ==\n`, /line 9 has no score/],
    [`${TEXT}YQ== 0.0 1\n`, /line 9 has the piece "a", as line 6 has/],
    [PIECES, /the file is plain/],
  ]) {
    await assert.rejects(Tokenizer.load(new Blob([text])), {
      code: "INVALID_MODEL",
      message,
    });
  }
});
