// Encodes a text with one tokenizer in Node and prints one line of JSON:
//
//   node node_engine.mjs ENGINE MODEL TEXT line|doc PASSES WASM_PACKAGE PEERS LITE_WASM
//
// WASM_PACKAGE is the folder of our npm package, PEERS the one whose node_modules has the
// peers, LITE_WASM the published lite runtime as a module. A first tokenizer lets the engine of
// JavaScript compile what it finds hot; then each of PASSES fresh ones encodes the text three
// times: the first time of a fresh one is cold, the others are warm, and the best count.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [name, model, text, mode, passes, wasmPackage, peers, liteModule] =
  process.argv.slice(2);
const require = createRequire(join(peers, "index.js"));

const distFile = (file) => pathToFileURL(join(wasmPackage, "dist", file)).href;

async function spmlite() {
  const { Tokenizer } = await import(distFile("index.js"));
  return async () => {
    const tokenizer = await Tokenizer.load(model);
    return {
      encode: (line) => tokenizer.encode(line),
      decode: (ids) => tokenizer.decode(ids),
      free: () => tokenizer.free(),
    };
  };
}

// The same JavaScript as ours drives it, from our sources: the package is one file.
async function lite(isCached, isLarge) {
  const { buildSync } = createRequire(join(wasmPackage, "index.js"))("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [join(wasmPackage, "ts", "runtime.ts")],
    bundle: true,
    format: "esm",
    write: false,
  });
  const { Runtime } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
  );
  const module = await WebAssembly.compile(readFileSync(liteModule));
  const bytes = readFileSync(model);
  return async () => {
    const instance = await WebAssembly.instantiate(module);
    instance.exports.lite_choose(isCached, isLarge);
    const runtime = new Runtime(module, instance, { bytes, name: model });
    return {
      encode: (line) => runtime.encode(line),
      decode: (ids) => runtime.decode(ids),
    };
  };
}

async function huggingFace() {
  const { Tokenizer } = require("@huggingface/tokenizers");
  const definition = JSON.parse(readFileSync(model, "utf8"));
  return async () => {
    const tokenizer = new Tokenizer(definition, {});
    const options = { add_special_tokens: false };
    return { encode: (line) => tokenizer.encode(line, options).ids };
  };
}

async function sentencepieceJs() {
  const { SentencePieceProcessor } = require("@agnai/sentencepiece-js");
  return async () => {
    const processor = new SentencePieceProcessor();
    await processor.load(model);
    return { encode: (line) => processor.encodeIds(line) };
  };
}

async function gptTokenizer() {
  const { encode } = require("gpt-tokenizer");
  const options = { disallowedSpecial: new Set() };
  return async () => ({ encode: (line) => encode(line, options) });
}

const ENGINES = {
  spmlite,
  "lite-plain": () => lite(false, false),
  lite: () => lite(true, false),
  "lite-large": () => lite(true, true),
  "hf-tokenizers-js": huggingFace,
  "sentencepiece-js": sentencepieceJs,
  "gpt-tokenizer": gptTokenizer,
};

// spm_bench's FNV-1a: 64 bits as two halves. The prime is 2^40 + 0x1b3.
class IdHash {
  #low = Number(1469598103934665603n & 0xffffffffn);
  #high = Number(1469598103934665603n >> 32n);
  add(id) {
    const low = (this.#low ^ id) >>> 0;
    const product = low * 0x1b3;
    const carry = Math.floor(product / 0x100000000);
    this.#low = product >>> 0;
    this.#high = (this.#high * 0x1b3 + carry + ((low << 8) >>> 0)) % 0x100000000;
  }
  toString() {
    const half = (value) => value.toString(16).padStart(8, "0");
    return half(this.#high) + half(this.#low);
  }
}

const content = readFileSync(text, "utf8");
const texts = mode === "line" ? content.split("\n").filter(Boolean) : [content];
const megabytes =
  texts.reduce((sum, line) => sum + Buffer.byteLength(line), 0) / 1e6;

function seconds(run) {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1e3;
}

function encodeAll(tokenizer) {
  for (const line of texts) tokenizer.encode(line);
}

const make = await ENGINES[name]();
const startOfLoad = performance.now();
const first = await make();
const loadMilliseconds = performance.now() - startOfLoad;
const ids = texts.map((line) => Int32Array.from(first.encode(line)));
const hash = new IdHash();
for (const of of ids) for (const id of of) hash.add(id);

let cold = Infinity;
let warm = Infinity;
let decode = Infinity;
for (let pass = 0; pass < Number(passes); pass += 1) {
  const tokenizer = await make();
  cold = Math.min(cold, seconds(() => encodeAll(tokenizer)));
  for (let again = 0; again < 2; again += 1) {
    warm = Math.min(warm, seconds(() => encodeAll(tokenizer)));
  }
  if (tokenizer.decode) {
    const run = () => {
      for (const of of ids) tokenizer.decode(of);
    };
    decode = Math.min(decode, seconds(run));
  }
  tokenizer.free?.();
}

const rate = (time) => Number((megabytes / time).toFixed(3));
console.log(
  JSON.stringify({
    engine: name,
    mode,
    texts: texts.length,
    bytes: Math.round(megabytes * 1e6),
    tokens: ids.reduce((sum, of) => sum + of.length, 0),
    hash: hash.toString(),
    cold_mb_s: rate(cold),
    warm_mb_s: rate(warm),
    ...(decode < Infinity && { decode_mb_s: rate(decode) }),
    load_ms: Number(loadMilliseconds.toFixed(3)),
    peak_kb: process.resourceUsage().maxRSS,
  }),
);
