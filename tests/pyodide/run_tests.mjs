// Runs pytest in one Pyodide, on tests of this checkout.
//
// Usage: node run_tests.mjs PYODIDE_FOLDER TESTS_FOLDER FILES_JSON WHEEL...
// Writes what pytest prints; exits with its code.

import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, tests, files, ...wheels] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: folder });
const urls = wheels.map((wheel) => pathToFileURL(wheel).href);
await pyodide.loadPackage(urls, { messageCallback() {} });
pyodide.mountNodeFS("/tests", tests);
pyodide.setStdout({ batched: (line) => console.log(line) });
pyodide.setStderr({ batched: (line) => console.log(line) });
pyodide.globals.set("names", pyodide.toPy(JSON.parse(files)));
process.exitCode = pyodide.runPython(`
import os, sys, pytest
sys.dont_write_bytecode = True
sys.path.insert(0, "/tests/pyodide")
os.chdir("/tmp")
options = ["-c", "/dev/null", "--rootdir=/tests/python", "--confcutdir=/tests/python"]
options += ["-p", "no:cacheprovider", "-p", "inside_plugin", "--tb=short", "-rs"]
files = [f"/tests/python/{name}" for name in names]
int(pytest.main([*options, "--import-mode=importlib", *files]))
`);
