// How fast lines are encoded in Node, one at a time:
//
//   node bench/encode.mjs MODEL TEXT [ROUNDS]
//
// prints one line of JSON. A round encodes every line of the text once; the best
// round counts, since whatever else the machine does can only slow one down.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Tokenizer } from "../dist/index.js";

const [model, text, rounds = "7"] = process.argv.slice(2);
if (model === undefined || text === undefined) {
  console.error("usage: node bench/encode.mjs MODEL TEXT [ROUNDS]");
  process.exit(2);
}

const lines = (await readFile(text, "utf8")).split("\n");
const megabytes = Buffer.byteLength(lines.join("")) / 1e6;

await Tokenizer.load(model); // compiles the modules
const start = performance.now();
const tokenizer = await Tokenizer.load(model);
const loadMilliseconds = performance.now() - start;

const seconds = Array.from({ length: Number(rounds) }, () => {
  const start = performance.now();
  for (const line of lines) tokenizer.encode(line);
  return (performance.now() - start) / 1e3;
});
const ids = lines.reduce((sum, line) => sum + tokenizer.encode(line).length, 0);

const rounded = (value) => Number(value.toFixed(1));
console.log(
  JSON.stringify({
    engine: `spmlite, WebAssembly in Node ${process.versions.node}`,
    model: basename(model),
    text: basename(text),
    megabytes: rounded(megabytes),
    ids,
    megabytesPerSecond: rounded(megabytes / Math.min(...seconds)),
    loadMilliseconds: rounded(loadMilliseconds),
  }),
);
