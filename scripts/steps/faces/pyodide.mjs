// Encodes a text with the Python package, in Pyodide on Node: PYODIDE WHEEL NATIVE_PY
// MODEL TEXT ROUNDS, one line of JSON. What runs inside is native.py itself.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, program, model, textFile, rounds] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: folder });
await pyodide.loadPackage(pathToFileURL(wheel).href, { messageCallback: () => {} });
pyodide.FS.writeFile("/model.spm.fb", await readFile(model));
pyodide.FS.writeFile("/text.txt", await readFile(textFile));
const sys = pyodide.pyimport("sys");
sys.argv = pyodide.toPy(["native.py", "spmlite", "/model.spm.fb", "/text.txt", rounds]);
pyodide.setStdout({ batched: (line) => console.log(line) });
pyodide.runPython(await readFile(program, "utf8"));
