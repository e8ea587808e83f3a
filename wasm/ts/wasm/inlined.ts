/// <reference path="./base64.d.ts" />

// The default: the runtime's bytes are part of the script, those of the other modules of
// scripts that are imported when they are needed.

import base64 from "base64:spmlite.wasm";
import type { WasmSource, WasmSources } from "./source.js";

export const sources: WasmSources = {
  runtime: {
    compile: () => WebAssembly.compile(bytesOf(base64)),
    compileNow: () => new WebAssembly.Module(bytesOf(base64)),
  },
  sampling: later(() => import("./spmlite-sampling.base64.js")),
  converter: later(() => import("./spmlite-convert.base64.js")),
  readers: later(() => import("./spmlite-readers.base64.js")),
};

function later(script: () => Promise<{ base64: string }>): WasmSource {
  return {
    compile: async () => WebAssembly.compile(bytesOf((await script()).base64)),
  };
}

// A loop, since a callback for each byte would take longer than compiling them.
function bytesOf(base64: string): BufferSource {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
