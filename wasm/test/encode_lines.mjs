// Encodes lines for a comparison with other implementations:
//
//   node test/encode_lines.mjs LINES OUT ids|offsets MODEL...
//
// LINES holds a JSON string on each line. The folder OUT gets a file for each model, named
// by its number, of 32-bit numbers in this machine's byte order: for each line the count
// of its ids and the ids, and with `offsets` the UTF-16 offsets and the byte offsets, two
// of each for an id.

import { readFile, writeFile } from "node:fs/promises";
import { Tokenizer } from "../dist/index.js";

const [linesFile, out, mode, ...models] = process.argv.slice(2);
const lines = (await readFile(linesFile, "utf8"))
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

function encode(tokenizer, text) {
  if (mode !== "offsets") return [tokenizer.encode(text)];
  const { ids, offsets, byteOffsets } = tokenizer.encodeWithOffsets(text);
  return [ids, offsets, byteOffsets];
}

for (const [number, model] of models.entries()) {
  const tokenizer = await Tokenizer.load(model);
  const parts = lines.flatMap((line) => {
    const [ids, ...offsets] = encode(tokenizer, line);
    return [Int32Array.of(ids.length), ids, ...offsets];
  });
  tokenizer.free();
  const bytes = parts.map((part) => Buffer.from(part.buffer));
  await writeFile(`${out}/${number}`, Buffer.concat(bytes));
}
