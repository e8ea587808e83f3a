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
};

function later(script: () => Promise<{ base64: string }>): WasmSource {
  return {
    compile: async () => WebAssembly.compile(bytesOf((await script()).base64)),
  };
}

function bytesOf(base64: string): BufferSource {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
