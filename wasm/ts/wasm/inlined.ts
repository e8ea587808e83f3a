/// <reference path="./packed.d.ts" />

// The default: the runtime's bytes are part of the script, those of the other modules of
// scripts that are imported when they are needed.

import packed from "packed:spmlite.wasm";
import type { WasmSource, WasmSources } from "./source.js";

export const sources: WasmSources = {
  runtime: {
    compile: () => WebAssembly.compile(bytesOf(packed)),
    compileNow: () => new WebAssembly.Module(bytesOf(packed)),
  },
  sampling: later(() => import("./spmlite-sampling.packed.js")),
  converter: later(() => import("./spmlite-convert.packed.js")),
  readers: later(() => import("./spmlite-readers.packed.js")),
};

function later(script: () => Promise<{ packed: string }>): WasmSource {
  return {
    compile: async () => WebAssembly.compile(bytesOf((await script()).packed)),
  };
}

// Bytes are packed by build.mjs as printable ASCII, whatever a page says its characters are:
// in front which byte each rank stands for, two digits each, then a symbol for each byte of a
// low rank and two for others. gzip makes 20 % less of it than of base64, in which bytes that
// are alike look different.
const FIRST_SYMBOL = 35; // #, behind the quote
const SYMBOLS = 90; // up to ~, without < and the backslash
const SINGLE = SYMBOLS - 2; // the last two begin a pair
const HEAD = 2 * 256;

function bytesOf(packed: string): BufferSource {
  const bytes = new Uint8Array(packed.length);
  let size = 0;
  let at = HEAD;
  const next = () => {
    const code = packed.charCodeAt(at++);
    return code - FIRST_SYMBOL - Number(code > 60) - Number(code > 92);
  };
  const byRank = Uint8Array.from({ length: 256 }, (_, rank) =>
    Number.parseInt(packed.slice(2 * rank, 2 * rank + 2), 16),
  );
  while (at < packed.length) {
    let rank = next();
    if (rank >= SINGLE) rank = SINGLE + (rank - SINGLE) * SYMBOLS + next();
    bytes[size++] = byRank[rank] ?? 0;
  }
  return bytes.subarray(0, size);
}
