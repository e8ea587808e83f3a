// spmlite/external: the modules are files beside the script. Bundlers know this way of
// writing an address, and take the file along.

import { messageOf, SpmliteError } from "../errors.js";
import { fetchOk, readIfFile } from "../files.js";
import type { WasmSource, WasmSources } from "./source.js";

export const sources: WasmSources = {
  runtime: at(() => new URL("./spmlite.wasm", import.meta.url)),
  sampling: at(() => new URL("./spmlite-sampling.wasm", import.meta.url)),
  converter: at(() => new URL("./spmlite-convert.wasm", import.meta.url)),
  readers: at(() => new URL("./spmlite-readers.wasm", import.meta.url)),
};

function at(address: () => URL): WasmSource {
  return { compile: () => compile(address()) };
}

async function compile(address: URL): Promise<WebAssembly.Module> {
  const bytes = await readIfFile(address);
  try {
    if (bytes !== undefined)
      return await WebAssembly.compile(bytes as BufferSource);
    return await compileResponse(await fetchOk(address));
  } catch (cause) {
    if (cause instanceof SpmliteError) throw cause;
    const message = `${address} cannot be compiled: ${messageOf(cause)}`;
    throw new SpmliteError("SOURCE", message, { cause });
  }
}

// Compiling while the bytes arrive is allowed for one MIME type only, which not
// every server knows: https://webassembly.github.io/spec/web-api/#streaming-modules
async function compileResponse(
  response: Response,
): Promise<WebAssembly.Module> {
  const type = response.headers.get("content-type") ?? "";
  if (type.trim().toLowerCase() === "application/wasm") {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
