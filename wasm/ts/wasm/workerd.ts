// The condition "workerd": Cloudflare Workers compile no bytes, and import modules compiled.

import type { WasmSources } from "./source.js";
import runtime from "./spmlite.wasm";

export const sources: WasmSources = {
  runtime: { compile: async () => runtime, compileNow: () => runtime },
  sampling: {
    compile: async () => (await import("./spmlite-sampling.wasm")).default,
  },
  converter: {
    compile: async () => (await import("./spmlite-convert.wasm")).default,
  },
  readers: {
    compile: async () => (await import("./spmlite-readers.wasm")).default,
  },
};
