// Tells all that the package makes of lines, for a comparison with native Python:
//
//   node test/tell_lines.mjs MODEL LINES OUT
//
// LINES holds a JSON string on each line, OUT gets a JSON object for each. The number
// of a line is the seed of its draws.

import { readFile, writeFile } from "node:fs/promises";
import { Tokenizer } from "../dist/index.js";

const [model, linesFile, outFile] = process.argv.slice(2);
const tokenizer = await Tokenizer.load(model, { sampling: true });
const decoder = tokenizer.streamingDecoder();
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
function decodeAsTheyCome(ids) {
  let text = "";
  for (let size = 0, at = 0; at < ids.length; at += size, ++size) {
    text += decoder.add(ids.subarray(at, at + size));
  }
  return text + decoder.finish();
}

function draw(text, seed) {
  const options = { seed, alpha: 0.3, nbestSize: seed % 2 === 0 ? -1 : 8 };
  return numbers(tokenizer.sample(text, options));
}

function best(text) {
  return tokenizer
    .nbest(text, 4)
    .map(({ ids, score }) => ({ ids: numbers(ids), score }));
}

function tell(text, number) {
  const ids = tokenizer.encode(text);
  const { modelType } = tokenizer;
  return {
    encoded: inAllUnits((unit) => tokenizer.encodeWithOffsets(text, unit)),
    decoded: inAllUnits((unit) => tokenizer.decodeWithOffsets(ids, unit)),
    streamed: decodeAsTheyCome(ids),
    drawn: ["UNIGRAM", "BPE"].includes(modelType) ? draw(text, number) : null,
    best: modelType === "UNIGRAM" ? best(text) : null,
  };
}

const lines = (await readFile(linesFile, "utf8")).trimEnd().split("\n");
const told = lines.map((line, number) => tell(JSON.parse(line), number));
await writeFile(
  outFile,
  told.map((one) => `${JSON.stringify(one)}\n`),
);
