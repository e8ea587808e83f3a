// The WebAssembly modules: each is compiled when it is first needed, and the
// compiled module is shared by all tokenizers.

import { messageOf, SpmliteError } from "./errors.js";
import { fetchOk, readIfFile } from "./files.js";

/** Encodes and decodes; see wasm/src/abi.cc. */
export const runtimeModule = once(() =>
  compile(new URL("./spmlite.wasm", import.meta.url)),
);

/** The same with n-best and sampling; see wasm/src/sampling_abi.cc. */
export const samplingModule = once(() =>
  compile(new URL("./spmlite-sampling.wasm", import.meta.url)),
);

/** Turns a `.model` into a `.spm.fb`; see wasm/src/convert_abi.cc. */
export const converterModule = once(() =>
  compile(new URL("./spmlite-convert.wasm", import.meta.url)),
);

/** A new instance, with a memory of its own. */
export async function instantiate(
  module: WebAssembly.Module,
): Promise<WebAssembly.Instance> {
  try {
    return await WebAssembly.instantiate(module);
  } catch (cause) {
    const message = `a WebAssembly instance was refused: ${messageOf(cause)}`;
    throw new SpmliteError("MEMORY", message, { cause });
  }
}

/** `make`, run at the first call and again only after it failed. */
function once(
  make: () => Promise<WebAssembly.Module>,
): () => Promise<WebAssembly.Module> {
  let made: Promise<WebAssembly.Module> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
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
