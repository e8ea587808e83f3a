// The package in Pyodide and the npm package, in turn, on the same lines and the same model.
//
// Usage: node encode_speed.mjs PYODIDE_FOLDER WHEEL NPM_PACKAGE MODEL TEXT ROUNDS
// Prints JSON: for each way to call, MB/s of UTF-8 of both, the best of the rounds. The first round
// lets the engine of JavaScript compile what it finds hot.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, npmPackage, model, text, rounds] = process.argv.slice(2);
const fromPath = (...parts) => import(pathToFileURL(path.join(...parts)));
const { loadPyodide } = await fromPath(folder, "pyodide.mjs");
const { Tokenizer } = await fromPath(npmPackage, "dist", "index.js");

const document = fs.readFileSync(text, "utf8");
const lines = document.split("\n");
const megabytes = Buffer.byteLength(document) / 1e6;

const tokenizer = await Tokenizer.load(model);
const npm = {
  "a list of lines": () => tokenizer.encodeBatch(lines),
  "line by line": () => lines.forEach((line) => tokenizer.encode(line)),
  "the document": () => tokenizer.encode(document),
};

const pyodide = await loadPyodide({ indexURL: folder });
await pyodide.loadPackage(pathToFileURL(wheel).href, { messageCallback() {} });
pyodide.FS.writeFile("/model", fs.readFileSync(model));
pyodide.FS.writeFile("/text", document);
pyodide.runPython(`
import time
import spmlite

processor = spmlite.SentencePieceProcessor(model_file="/model")
document = open("/text", encoding="utf-8", newline="").read()
lines = document.split("\\n")

def line_by_line():
    for line in lines:
        processor.encode(line)

ways = {
    "a list of lines": lambda: processor.encode(lines),
    "line by line": line_by_line,
    "the document": lambda: processor.encode(document),
}

def seconds(way):
    start = time.perf_counter()
    ways[way]()
    return time.perf_counter() - start
`);
const inPyodide = pyodide.globals.get("seconds");

function seconds(call) {
  const start = performance.now();
  call();
  return (performance.now() - start) / 1e3;
}

const best = {};
for (let round = 0; round <= Number(rounds); round++) {
  for (const [way, call] of Object.entries(npm)) {
    const rates = [inPyodide(way), seconds(call)].map((taken) => megabytes / taken);
    if (round === 0) best[way] = { pyodide: 0, npm: 0 };
    best[way].pyodide = Math.max(best[way].pyodide, rates[0]);
    best[way].npm = Math.max(best[way].npm, rates[1]);
  }
}
console.log(JSON.stringify(best));
