// Holds what docs/migration.md says of other packages against these packages:
//
//   node compare_migration.mjs NODE_MODULES TASK
//
// NODE_MODULES is the folder that they are installed in. TASK is a file of JSON: `calls`, each with
// what it is called on and by which name; `tokenizerJson`, files by what their post_processor asks
// for; `llama2`, Llama 2's; `model`, any .model; `lines`. Prints the calls that are not there, how many
// results were compared, and those that differ.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Tokenizer } from "spmlite";

const [nodeModules, taskFile] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${nodeModules}/`));
const task = JSON.parse(readFileSync(taskFile, "utf8"));

const gpt = require("gpt-tokenizer");
const { default: llamaTokenizer } = await import(
  pathToFileURL(require.resolve("llama-tokenizer-js")).href
);
const HuggingFace = require("@huggingface/tokenizers");
const agnai = require("@agnai/sentencepiece-js");
const processor = new agnai.SentencePieceProcessor();
await processor.load(task.model);
const ours = await Tokenizer.load(task.model);
const llama2 = await Tokenizer.load(task.llama2);

let compared = 0;
const differing = [];
function compare(name, text, theirs, found) {
  compared += 1;
  const [left, right] = [theirs, found].map((one) =>
    JSON.stringify(ArrayBuffer.isView(one) ? [...one] : one),
  );
  if (left !== right) differing.push([name, text, left, right]);
}

for (const [file, framing] of Object.entries(task.tokenizerJson)) {
  const theirs = new HuggingFace.Tokenizer(JSON.parse(readFileSync(file, "utf8")), {});
  const tokenizer = await Tokenizer.load(file);
  const whole = { skip_special_tokens: true, clean_up_tokenization_spaces: false };
  for (const text of [...task.lines, "<s>a , b</s> <bos>"]) {
    const controls = { controlPieces: true };
    const { ids } = theirs.encode(text);
    compare(file, text, ids, tokenizer.encode(text, { ...controls, ...framing }));
    const bare = theirs.encode(text, { add_special_tokens: false }).ids;
    compare(file, text, bare, tokenizer.encode(text, controls));
    const { pieces } = tokenizer.encodeWithOffsets(text, controls);
    compare(file, text, theirs.tokenize(text), pieces);
    if (ids.length > 0) compare(file, text, theirs.decode(ids, whole), tokenizer.decode(ids));
  }
  compare(file, "▁a", theirs.token_to_id("▁a"), tokenizer.pieceToId("▁a"));
  compare(file, 99, theirs.id_to_token(99), tokenizer.idToPiece(99));
  compare(file, "a stranger", theirs.token_to_id("no such piece"), undefined);
  compare(file, "a stranger", tokenizer.pieceToId("no such piece"), tokenizer.unkId);
  compare(file, "a stranger", theirs.id_to_token(2 ** 30), undefined);
}

// sentencepiece-js decodes with a TextDecoder that takes U+FEFF for a byte order mark.
const withoutMark = (text) => text.replace(/^\uFEFF/, "");

for (const text of task.lines) {
  const ids = ours.encode(text);
  compare("sentencepiece-js", text, processor.encodeIds(text), ids);
  const { pieces } = ours.encodeWithOffsets(text);
  compare("sentencepiece-js", text, processor.encodePieces(text), pieces);
  compare("sentencepiece-js", text, processor.decodeIds([...ids]), withoutMark(ours.decode(ids)));
  const begun = llamaTokenizer.encode(text);
  compare("llama-tokenizer-js", text, begun, llama2.encode(text, { addBos: true }));
  compare("llama-tokenizer-js", text, llamaTokenizer.encode(text, false), llama2.encode(text));
  compare("llama-tokenizer-js", text, begun.length - 1, llama2.count(text));
  compare("llama-tokenizer-js", text, llamaTokenizer.decode(begun), llama2.decode(begun));
}

const things = {
  tokenizer: HuggingFace.Tokenizer.prototype,
  processor,
  llamaTokenizer,
  "": { ...gpt, cleanText: agnai.cleanText },
  "our tokenizer": ours,
  "our Tokenizer": Tokenizer,
};
const missing = task.calls.filter(([of, name]) => typeof things[of]?.[name] !== "function");
console.log(JSON.stringify({ missing, compared, differing }));
