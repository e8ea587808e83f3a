// Encodes a text with the npm package, in Node: PACKAGE MODEL TEXT ROUNDS, one line
// of JSON.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, model, textFile, rounds] = process.argv.slice(2);
const { Tokenizer } = await import(pathToFileURL(join(folder, "dist", "index.js")).href);
const text = await readFile(textFile, "utf8");

let start = performance.now();
const tokenizer = await Tokenizer.load(model);
const loadMs = performance.now() - start;

const times = [];
let ids;
for (let i = 0; i < Number(rounds); i++) {
  start = performance.now();
  ids = tokenizer.encode(text);
  times.push((performance.now() - start) * 1e3);
}
times.sort((a, b) => a - b);
const encodeUs = times[times.length >> 1];
console.log(JSON.stringify({ ids: [...ids], load_ms: loadMs, encode_us: encodeUs }));
