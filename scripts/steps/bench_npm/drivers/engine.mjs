// One tokenizer in a fresh process; prints one line of JSON:
//
//   node --expose-gc engine.mjs ENGINE MODEL TEXT PACKAGE PEERS
//
// PACKAGE is the folder of our npm package, PEERS the one whose node_modules has the others.
// `ready` is the time from importing the engine to the first ids, the model being a file;
// `memory` is by how much the process grew until then, at its largest. Then it encodes TEXT line
// by line for half a second: the first time, and the best.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [name, model, textFile, folder, peers] = process.argv.slice(2);
const require = createRequire(join(peers, "index.js"));
const LEAST_MILLISECONDS = 500;
const SHORT = 20;

async function spmlite() {
  const script = join(folder, "dist", "index.js");
  const { Tokenizer } = await import(pathToFileURL(script).href);
  const tokenizer = await Tokenizer.load(model);
  return (text) => tokenizer.encode(text);
}

async function huggingFace() {
  const { Tokenizer } = require("@huggingface/tokenizers");
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(model, "utf8")), {});
  const options = { add_special_tokens: false };
  return (text) => tokenizer.encode(text, options).ids;
}

async function sentencepieceJs() {
  const { SentencePieceProcessor } = require("@agnai/sentencepiece-js");
  const processor = new SentencePieceProcessor();
  await processor.load(model);
  return (text) => processor.encodeIds(text);
}

async function llamaTokenizerJs() {
  const script = require.resolve("llama-tokenizer-js");
  const { default: tokenizer } = await import(pathToFileURL(script).href);
  return (text) => tokenizer.encode(text, false);
}

async function gptTokenizer() {
  const { encode } = require("gpt-tokenizer");
  const options = { disallowedSpecial: new Set() };
  return (text) => encode(text, options);
}

const ENGINES = {
  spmlite,
  huggingface: huggingFace,
  "sentencepiece-js": sentencepieceJs,
  "llama-tokenizer-js": llamaTokenizerJs,
  "gpt-tokenizer": gptTokenizer,
};

const now = () => performance.now();
const lines = readFileSync(textFile, "utf8").split("\n").filter(Boolean);
globalThis.gc();
const before = process.memoryUsage().rss;
const begin = now();
const encode = await ENGINES[name]();
encode("The first text of this page.");
const ready = now() - begin;
const memory = Math.max(process.resourceUsage().maxRSS * 1024 - before, 0);

/** The lines that the engine encodes in so long a time, and that time. */
function encodeFor(milliseconds, texts) {
  const start = now();
  let bytes = 0;
  for (const text of texts) {
    encode(text);
    bytes += Buffer.byteLength(text);
    if (now() - start > milliseconds) break;
  }
  return { seconds: (now() - start) / 1e3, bytes };
}

const first = encodeFor(LEAST_MILLISECONDS, lines);
let best = first;
for (const start = now(); now() - start < LEAST_MILLISECONDS; ) {
  const again = encodeFor(LEAST_MILLISECONDS, lines);
  if (again.bytes / again.seconds > best.bytes / best.seconds) best = again;
}

const text = lines.join(" ");
const shorts = Array.from({ length: 500 }, (_, i) =>
  text.slice(i * SHORT, (i + 1) * SHORT),
);
let short = Infinity;
for (const start = now(); now() - start < LEAST_MILLISECONDS; ) {
  const since = now();
  for (const one of shorts) encode(one);
  short = Math.min(short, (now() - since) / shorts.length);
}

const megabytesPerSecond = ({ bytes, seconds }) => bytes / 1e6 / seconds;
const ids = lines.slice(0, 20).map((line) => [...encode(line)]);
console.log(
  JSON.stringify({
    ready_ms: ready,
    memory_mb: memory / 1e6,
    first_mb_s: megabytesPerSecond(first),
    best_mb_s: megabytesPerSecond(best),
    short_us: 1e3 * short,
    ids,
  }),
);
