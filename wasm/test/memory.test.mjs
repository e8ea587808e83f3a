// What happens when memory is refused. V8's flag sets a limit for a process of
// its own: 64 pages of 64 KiB for each WebAssembly instance.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./short_of_memory.mjs", import.meta.url));

test("memory that is refused is an error, and the tokenizer goes on", () => {
  const flags = ["--wasm-max-mem-pages=64", script];
  const output = execFileSync(process.execPath, flags, { encoding: "utf8" });
  assert.deepEqual(output.trim().split("\n"), [
    "load: MEMORY",
    "encode: MEMORY",
    "encode: MEMORY",
    "encode: MEMORY",
    "decode: MEMORY",
    "normalize: MEMORY",
    "encodeWithOffsets: MEMORY",
    "decodeWithOffsets: MEMORY",
    "sample: MEMORY",
    "nbest: MEMORY",
    "add: MEMORY",
    "short texts: the same ids",
  ]);
});
