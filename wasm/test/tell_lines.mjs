// Tells all that the package makes of lines, for a comparison with native Python:
//
//   node test/tell_lines.mjs LINES OUT MODEL...
//
// LINES holds a JSON string on each line. The folder OUT gets a file for each model, named
// by its number, with a JSON object for each line. The number of a line is the seed of
// its draws.

import { readFile, writeFile } from "node:fs/promises";
import { Tokenizer } from "../dist/index.js";

const [linesFile, out, ...models] = process.argv.slice(2);
const UNITS = ["codePoints", "utf16", "bytes"];

const numbers = (list) => [...list];

/** What `call` gives for each unit: the same but for the offsets, which are collected. */
function inAllUnits(call) {
  const results = UNITS.map((unit) => call({ unit }));
  const offsets = results.map((result) => numbers(result.offsets));
  const { byteOffsets, ids, ...rest } = results[0];
  return { ...rest, ids: numbers(ids), offsets };
}

/** The ids in shares of 0, 1, 2, ... */
function decodeAsTheyCome(tokenizer, ids) {
  const decoder = tokenizer.streamingDecoder();
  let text = "";
  for (let size = 0, at = 0; at < ids.length; at += size, ++size) {
    text += decoder.add(ids.subarray(at, at + size));
  }
  text += decoder.finish();
  decoder.free();
  return text;
}

function draw(tokenizer, text, seed) {
  const options = { seed, alpha: 0.3, nbestSize: seed % 2 === 0 ? -1 : 8 };
  return numbers(tokenizer.sample(text, options));
}

function best(tokenizer, text) {
  return tokenizer
    .nbest(text, 4)
    .map(({ ids, score }) => ({ ids: numbers(ids), score }));
}

function tell(tokenizer, text, number) {
  const ids = tokenizer.encode(text);
  const { modelType } = tokenizer;
  const isDrawn = ["UNIGRAM", "BPE"].includes(modelType);
  return {
    encoded: inAllUnits((unit) => tokenizer.encodeWithOffsets(text, unit)),
    decoded: inAllUnits((unit) => tokenizer.decodeWithOffsets(ids, unit)),
    streamed: decodeAsTheyCome(tokenizer, ids),
    drawn: isDrawn ? draw(tokenizer, text, number) : null,
    best: modelType === "UNIGRAM" ? best(tokenizer, text) : null,
  };
}

const lines = (await readFile(linesFile, "utf8")).trimEnd().split("\n");
for (const [number, model] of models.entries()) {
  const tokenizer = await Tokenizer.load(model, { sampling: true });
  const told = lines.map((line, i) => tell(tokenizer, JSON.parse(line), i));
  tokenizer.free();
  await writeFile(
    `${out}/${number}`,
    told.map((one) => `${JSON.stringify(one)}\n`),
  );
}
