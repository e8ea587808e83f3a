// Installs wheels from a server with micropip in one Pyodide, and encodes a text.
//
// Usage: node install_wheels.mjs PYODIDE_FOLDER MODEL TEXT MICROPIP_URL WHEEL_URL...
// Writes JSON: the ids, and the milliseconds that import and loading took.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, model, text, micropip, ...wheels] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: folder });
await pyodide.loadPackage(micropip, { messageCallback() {} });
pyodide.FS.writeFile("/model.spm.fb", fs.readFileSync(model));
pyodide.globals.set("wheels", pyodide.toPy(wheels));
pyodide.globals.set("text", text);
const found = await pyodide.runPythonAsync(`
import json, micropip, time
for wheel in wheels:
    await micropip.install(wheel)
start = time.perf_counter()
import spmlite
imported = time.perf_counter()
processor = spmlite.SentencePieceProcessor(model_file="/model.spm.fb")
loaded = time.perf_counter()
json.dumps({
    "ids": processor.encode(text),
    "import_ms": (imported - start) * 1e3,
    "load_ms": (loaded - imported) * 1e3,
    "version": micropip.list()["spmlite"].version,
})
`);
console.log(found);
