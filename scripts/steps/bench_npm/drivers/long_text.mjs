// A text of a megabyte through the package and through its module alone; prints one line of JSON:
//
//   node long_text.mjs MODEL TEXT PACKAGE
//
// The module is given the text as UTF-8, which lies in its memory already, and leaves the ids
// there; the package is given a string and gives an Int32Array. Each in turn, the best counts.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [model, textFile, folder] = process.argv.slice(2);
const ROUNDS = 15;
const SIZE = 1_000_000;

const whole = readFileSync(textFile);
const text = new TextDecoder().decode(whole.subarray(0, SIZE));
const bytes = new TextEncoder().encode(text);
const blob = readFileSync(model);

const dist = (file) => join(folder, "dist", file);
const { Tokenizer } = await import(pathToFileURL(dist("index.js")).href);
const tokenizer = await Tokenizer.load(blob);

// See wasm/src/abi.cc.
const compiled = await WebAssembly.compile(readFileSync(dist("spmlite.wasm")));
const { exports } = await WebAssembly.instantiate(compiled);
exports._initialize();
function put(content) {
  const block = exports.spmlite_allocate(content.length);
  new Uint8Array(exports.memory.buffer).set(content, block);
  return block;
}
const handle = exports.spmlite_create(put(blob), blob.length);
const address = put(bytes);

const milliseconds = { module: [], package: [] };
function timed(what, run) {
  const start = performance.now();
  run();
  milliseconds[what].push(performance.now() - start);
}
for (let round = 0; round < ROUNDS; ++round) {
  timed("module", () => exports.spmlite_encode(handle, address, bytes.length));
  timed("package", () => tokenizer.encode(text));
}
const rate = (times) => bytes.length / 1e3 / Math.min(...times);
console.log(
  JSON.stringify({
    bytes: bytes.length,
    module_mb_s: rate(milliseconds.module),
    package_mb_s: rate(milliseconds.package),
  }),
);
