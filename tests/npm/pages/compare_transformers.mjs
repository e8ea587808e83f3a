// Compares spmlite/transformers with the tokenizers of Transformers.js, call by call:
//
//   node compare_transformers.mjs TRANSFORMERS ONNX TOKENIZER_JSON CONFIG_JSON MODEL LINES
//
// TRANSFORMERS is the script of @huggingface/transformers that needs no other file, ONNX the folder
// of onnxruntime-common, which has the tensors that it wraps (in Node it takes what it finds by
// this symbol). MODEL is the same tokenizer as a .model, LINES a file of JSON, a string on each
// line. Prints how many results were compared, and those that differ.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Tokenizer } from "spmlite";
import { transformersTokenizer } from "spmlite/transformers";

const [script, onnx, tokenizerFile, configFile, model, linesFile] = process.argv.slice(2);
globalThis[Symbol.for("onnxruntime")] = createRequire(import.meta.url)(onnx);
const { GemmaTokenizer, Tensor } = await import(pathToFileURL(script).href);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const config = read(configFile);
const theirs = new GemmaTokenizer(read(tokenizerFile), config);
const tokenizer = await Tokenizer.load(model);
const ours = transformersTokenizer(tokenizer, { config, Tensor });
const lines = readFileSync(linesFile, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

/** A result as text, tensors with their type and shape. */
function told(result) {
  return JSON.stringify(result, (_, value) => {
    if (typeof value === "bigint") return Number(value);
    if (value instanceof Map) return [...value];
    if (value?.dims) return { type: value.type, dims: value.dims, list: value.tolist() };
    return value;
  });
}

let compared = 0;
const differing = [];
function compare(name, call) {
  const results = [theirs, ours].map((one) => {
    try {
      return told(call(one));
    } catch {
      return "an error";
    }
  });
  compared += 1;
  if (results[0] !== results[1]) differing.push([name, ...results.map((one) => one?.slice(0, 300))]);
}

const CHAT = "<bos><start_of_turn>user\nHello<end_of_turn>\n<start_of_turn>model\n";
for (const text of [...lines, CHAT, "", " ", "  a", "don't , do . it ' s"]) {
  const ids = theirs.encode(text);
  compare("encode", (one) => one.encode(text));
  compare("without special tokens", (one) => one.encode(text, { add_special_tokens: false }));
  compare("tokenize", (one) => one.tokenize(text));
  compare("decode", (one) => one.decode(ids));
  compare("decode, skipping", (one) => one.decode(ids, { skip_special_tokens: true }));
  const plain = { clean_up_tokenization_spaces: false };
  compare("decode, not cleaned up", (one) => one.decode(ids, plain));
}
const some = lines.slice(0, 8);
const pairs = [...some].reverse();
for (const options of [
  { padding: true },
  { padding: true, truncation: true, max_length: 7 },
  { padding: "max_length", max_length: 30 },
  { padding: "max_length", max_length: 12, truncation: true },
  { max_length: 5 },
  { padding: true, max_length: 5 },
  { padding: true, add_special_tokens: false },
  { padding: true, text_pair: pairs },
  { padding: true, return_token_type_ids: true },
  {},
]) {
  for (const return_tensor of [true, false]) {
    const all = { ...options, return_tensor };
    compare(`call ${told(all)}`, (one) => one(some, all));
    const pair = options.text_pair ? { text_pair: pairs[0] } : {};
    compare(`call, one text ${told(all)}`, (one) => one(some[0], { ...all, ...pair }));
  }
}
const batch = theirs(some, { padding: true }).input_ids;
compare("batch_decode", (one) => one.batch_decode(batch));
compare("batch_decode of arrays", (one) => one.batch_decode(batch.tolist()));
const vocabulary = theirs.get_vocab();
compare("get_vocab", (one) => {
  const found = one.get_vocab();
  return [found.size, [...found].every(([piece, id]) => vocabulary.get(piece) === id)];
});
compare("convert_tokens_to_ids", (one) => one.convert_tokens_to_ids(["▁the", "<bos>", "nothing such"]));
for (const name of ["bos", "eos", "pad", "unk", "sep", "mask"])
  for (const what of [`${name}_token`, `${name}_token_id`]) compare(what, (one) => one[what]);
for (const what of ["model_max_length", "padding_side", "add_bos_token", "add_eos_token"])
  compare(what, (one) => one[what]);
compare("all_special_ids", (one) => one.all_special_ids);
compare("all_special_tokens", (one) => one.all_special_tokens);
compare("get_chat_template", (one) => one.get_chat_template());
console.log(JSON.stringify({ compared, differing }));
