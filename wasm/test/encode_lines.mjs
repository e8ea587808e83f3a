// Encodes lines for a comparison with other implementations:
//
//   node test/encode_lines.mjs MODEL LINES OUT [offsets]
//
// LINES holds a JSON string on each line; OUT gets 32-bit numbers in this machine's
// byte order: for each line the count of its ids and the ids, and with `offsets`
// the UTF-16 offsets and the byte offsets, two of each for an id.

import { readFile, writeFile } from "node:fs/promises";
import { Tokenizer } from "../dist/index.js";

const [model, linesFile, outFile, mode] = process.argv.slice(2);
const tokenizer = await Tokenizer.load(model);
const lines = (await readFile(linesFile, "utf8")).trimEnd().split("\n");

function encode(text) {
  if (mode !== "offsets") return [tokenizer.encode(text)];
  const { ids, offsets, byteOffsets } = tokenizer.encodeWithOffsets(text);
  return [ids, offsets, byteOffsets];
}

const parts = lines.flatMap((line) => {
  const [ids, ...offsets] = encode(JSON.parse(line));
  return [Int32Array.of(ids.length), ids, ...offsets];
});
await writeFile(
  outFile,
  Buffer.concat(parts.map((part) => Buffer.from(part.buffer))),
);
