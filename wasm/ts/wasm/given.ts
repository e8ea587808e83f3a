// In a worker: the modules come compiled, by message.

import type { WasmSource, WasmSources } from "./source.js";

const given: WasmSource = {
  compile: () => Promise.reject(new Error("a worker is given its modules")),
};

export const sources: WasmSources = {
  runtime: given,
  sampling: given,
  converter: given,
  readers: given,
};
