// Encodes lines with the wheel in one Pyodide, and writes the ids.
//
// Usage: node encode_lines.mjs PYODIDE_FOLDER WHEEL LINES_JSON OUTPUT MODEL...
// OUTPUT: int32, for each model and each line the number of ids and the ids.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, lines, output, ...models] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: folder });
await pyodide.loadPackage(pathToFileURL(wheel).href, { messageCallback() {} });

pyodide.FS.writeFile("/lines.json", fs.readFileSync(lines));
const names = models.map((model) => `/${path.basename(model)}`);
models.forEach((model, i) => pyodide.FS.writeFile(names[i], fs.readFileSync(model)));
pyodide.globals.set("names", pyodide.toPy(names));

const facts = pyodide.runPython(`
import json, sys, time
from array import array

start = time.perf_counter()
import spmlite
imported = time.perf_counter() - start

lines = json.load(open("/lines.json"))
numbers = array("i")
loading, encoding = 0, 0
for name in names:
    start = time.perf_counter()
    processor = spmlite.SentencePieceProcessor(model_file=name)
    loading += time.perf_counter() - start
    start = time.perf_counter()
    rows = processor.encode(lines)
    encoding += time.perf_counter() - start
    assert [processor.encode(line) for line in lines[:100]] == rows[:100]
    assert processor.decode(rows) == [processor.decode(row) for row in rows]
    for row in rows:
        numbers.append(len(row))
        numbers.extend(row)
open("/output", "wb").write(numbers.tobytes())

try:
    spmlite.SentencePieceProcessor(model_file="/missing.model")
except RuntimeError as error:
    assert str(error) == "/missing.model: No such file or directory", error

f"Python {sys.version.split()[0]}: imported in {imported * 1e3:.0f} ms, models loaded in " \\
f"{loading * 1e3:.0f} ms, encoded in {encoding * 1e3:.0f} ms"
`);
fs.writeFileSync(output, pyodide.FS.readFile("/output"));
console.log(facts);
