// The condition "edge-light": Vercel's edge runtime compile no bytes, and import modules compiled.

import type { WasmSources } from "./source.js";
import runtime from "./spmlite.wasm?module";

export const sources: WasmSources = {
  runtime: { compile: async () => runtime, compileNow: () => runtime },
  sampling: {
    compile: async () =>
      (await import("./spmlite-sampling.wasm?module")).default,
  },
  converter: {
    compile: async () =>
      (await import("./spmlite-convert.wasm?module")).default,
  },
  readers: {
    compile: async () =>
      (await import("./spmlite-readers.wasm?module")).default,
  },
};
