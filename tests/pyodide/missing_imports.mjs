// Prints, as JSON, what a side module imports that neither Pyodide's main module nor the linker gives.
//
// Usage: node missing_imports.mjs PYODIDE_ASM_WASM SIDE_MODULE

import fs from "node:fs";

const [main, side] = process.argv
  .slice(2)
  .map((file) => new WebAssembly.Module(fs.readFileSync(file)));
const given = new Set(WebAssembly.Module.exports(main).map(({ name }) => name));
const own = new Set(WebAssembly.Module.exports(side).map(({ name }) => name));
// What Emscripten's dynamic linker makes for each side module.
const linked = new Set([
  "memory",
  "__indirect_function_table",
  "__stack_pointer",
  "__memory_base",
  "__table_base",
]);
const imports = WebAssembly.Module.imports(side).map(({ name }) => name);
const missing = imports.filter(
  (name) => !given.has(name) && !own.has(name) && !linked.has(name),
);
console.log(JSON.stringify({ imports: imports.length, missing: [...new Set(missing)] }));
