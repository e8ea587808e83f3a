// The WebAssembly modules: each is compiled when it is first needed, and the
// compiled module is shared by all tokenizers.

import { messageOf, SpmliteError } from "./errors.js";
import { sources } from "./wasm/inlined.js";
import type { WasmSource } from "./wasm/source.js";

/** A module that is compiled at most once. */
export class SharedModule {
  readonly #source: WasmSource;
  #compiling: Promise<WebAssembly.Module> | undefined;
  #compiled: WebAssembly.Module | undefined;

  constructor(source: WasmSource) {
    this.#source = source;
  }

  /** Compiled at the first call, and again only after that failed. */
  async get(): Promise<WebAssembly.Module> {
    if (this.#compiled !== undefined) return this.#compiled;
    this.#compiling ??= this.#source.compile();
    try {
      this.#compiled = await this.#compiling;
      return this.#compiled;
    } catch (error) {
      this.#compiling = undefined;
      throw refused(error);
    }
  }

  /** The same at once; undefined where the module has to be awaited first. */
  getNow(): WebAssembly.Module | undefined {
    try {
      this.#compiled ??= this.#source.compileNow?.();
    } catch (error) {
      throw refused(error);
    }
    return this.#compiled;
  }
}

/** Encodes and decodes; see wasm/src/abi.cc. */
export const runtimeModule = new SharedModule(sources.runtime);

/** The same with n-best and sampling; see wasm/src/sampling_abi.cc. */
export const samplingModule = new SharedModule(sources.sampling);

/** Turns a `.model` into a `.spm.fb`; see wasm/src/convert_abi.cc. */
export const converterModule = new SharedModule(sources.converter);

/** Turns a tokenizer.json or a `.spm` into a `.model`; see wasm/src/readers_abi.cc. */
export const readersModule = new SharedModule(sources.readers);

/** A new instance, with a memory of its own. */
export async function instantiate(
  module: WebAssembly.Module,
): Promise<WebAssembly.Instance> {
  try {
    return await WebAssembly.instantiate(module);
  } catch (cause) {
    throw noInstance(cause);
  }
}

/** The same at once. */
export function instantiateNow(
  module: WebAssembly.Module,
): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(module);
  } catch (cause) {
    throw noInstance(cause);
  }
}

function noInstance(cause: unknown): SpmliteError {
  const message = `a WebAssembly instance was refused: ${messageOf(cause)}`;
  return new SpmliteError("MEMORY", message, { cause });
}

// Such as a content security policy without 'wasm-unsafe-eval'.
function refused(cause: unknown): SpmliteError {
  if (cause instanceof SpmliteError) return cause;
  const message = `the WebAssembly module cannot be compiled: ${messageOf(cause)}`;
  return new SpmliteError("SOURCE", message, { cause });
}
