// The interface of Transformers.js's tokenizers; tests/npm/test_transformers.py compares it
// with theirs.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Tokenizer } from "../dist/index.js";
import { transformersTokenizer } from "../dist/transformers.js";
import { tinyModel } from "./tiny_model.mjs";

class Tensor {
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims });
  }
  tolist() {
    const [rows, length] = this.dims;
    return Array.from({ length: rows }, (_, i) => [
      ...this.data.slice(i * length, (i + 1) * length),
    ]);
  }
}
class Template {
  constructor(source) {
    this.source = source;
  }
  render(values) {
    const texts = values.messages.map(({ content }) => content);
    return `${values.bos_token}${texts.join(this.source)}`;
  }
}

/** @type {Tokenizer} */
let tokenizer;
let tokenize;

before(async () => {
  tokenizer = await Tokenizer.load(tinyModel());
  tokenize = transformersTokenizer(tokenizer);
});

const invalid = { name: "SpmliteError", code: "INVALID_ARGUMENT" };

test("one text, and several", () => {
  assert.deepEqual(tokenize("ab"), {
    input_ids: [1, 8],
    attention_mask: [1, 1],
  });
  const options = { padding: true, return_token_type_ids: true };
  assert.deepEqual(tokenize(["ab c", "ab"], options), {
    input_ids: [
      [1, 8, 3, 6],
      [1, 8, 2, 2],
    ],
    attention_mask: [
      [1, 1, 1, 1],
      [1, 1, 0, 0],
    ],
    token_type_ids: [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
  });
  assert.deepEqual(tokenize("ab c", { max_length: 2 }).input_ids, [1, 8]);
  assert.deepEqual(tokenize.encode("ab", { text_pair: "c" }), [1, 8, 1, 3, 6]);
  assert.deepEqual(tokenize.tokenize("ab c"), ["▁ab", "▁", "c"]);
  assert.throws(() => tokenize([]), invalid);
  assert.throws(() => tokenize("ab", { text_pair: ["c"] }), invalid);
  assert.throws(() => tokenize(["ab"], { text_pair: ["c", "c"] }), invalid);
});

test("tensors, once there is a class for them", () => {
  const inTensors = transformersTokenizer(tokenizer, { Tensor });
  const { input_ids } = inTensors(["ab", "c"], { padding: true });
  assert.ok(input_ids instanceof Tensor);
  assert.deepEqual(input_ids.dims, [2, 3]);
  assert.deepEqual(inTensors.batch_decode(input_ids), ["<s> ab</s>", "<s> c"]);
  assert.throws(() => inTensors(["ab", "c"]), /padding/);
  assert.throws(() => inTensors.decode(input_ids), /batch_decode/);
  assert.throws(() => tokenize("ab", { return_tensor: true }), /Tensor/);
});

test("decoding, with special tokens and without", () => {
  assert.equal(tokenize.decode([1, 8, 2, 8]), "<s> ab</s> ab");
  const options = { skip_special_tokens: true };
  assert.equal(tokenize.decode([1n, 8n, 2n], options), "ab");
  assert.deepEqual(tokenize.batch_decode([[8], [3, 6]]), ["ab", "c"]);
  assert.throws(() => tokenize.decode([]), invalid);
});

test("the vocabulary", () => {
  assert.equal(tokenize.get_vocab().get("▁ab"), 8);
  assert.deepEqual(tokenize.convert_tokens_to_ids(["▁ab", "no"]), [
    8,
    undefined,
  ]);
  assert.deepEqual(tokenize.all_special_tokens, ["<unk>", "<s>", "</s>"]);
  assert.deepEqual(tokenize.all_special_ids, [0, 1, 2]);
  assert.equal(tokenize.pad_token_id, 2, "that of eos, where there is none");
  assert.equal(tokenize.model_max_length, Number.POSITIVE_INFINITY);
});

test("the configuration comes first", () => {
  const config = {
    add_bos_token: false,
    add_eos_token: true,
    pad_token: { content: "<unk>" },
    padding_side: "left",
    model_max_length: 4,
  };
  const configured = transformersTokenizer(tokenizer, { config });
  const options = { padding: "max_length" };
  assert.deepEqual(configured("ab", options).input_ids, [0, 0, 8, 2]);
});

test("chat templates are rendered by who can", () => {
  assert.throws(() => tokenize.apply_chat_template([]), /@huggingface\/jinja/);
  const config = { bos_token: "<s>", chat_template: " c " };
  const chat = transformersTokenizer(tokenizer, { config, Template });
  const messages = [{ content: "ab" }, { content: "ab" }];
  const text = { tokenize: false };
  assert.equal(chat.apply_chat_template(messages, text), "<s>ab c ab");
  const { input_ids } = chat.apply_chat_template(messages);
  assert.deepEqual(input_ids, [1, 8, 3, 6, 8]);
  const none = transformersTokenizer(tokenizer, { Template });
  assert.throws(() => none.apply_chat_template(messages), /chat_template/);
});
