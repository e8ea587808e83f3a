// How long it takes to import the package and to load a model, once Python has started.
//
// Usage: node start_up.mjs PYODIDE_FOLDER WHEEL MODEL
// Prints milliseconds as JSON. A process of its own each time: the second import takes no time.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, model] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: folder });
await pyodide.loadPackage(pathToFileURL(wheel).href, { messageCallback() {} });
pyodide.FS.writeFile("/model", fs.readFileSync(model));
console.log(
  pyodide.runPython(`
import json, time

start = time.perf_counter()
import spmlite
imported = time.perf_counter()
processor = spmlite.SentencePieceProcessor(model_file="/model")
loaded = time.perf_counter()
json.dumps({
    "pieces": len(processor),
    "import": (imported - start) * 1e3,
    "load": (loaded - imported) * 1e3,
})
`),
);
