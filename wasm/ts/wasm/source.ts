// How the package comes to its WebAssembly modules differs from entry to entry: each is
// built with one of the files in this folder in the place of inlined.ts.

/** A module, to be compiled. */
export interface WasmSource {
  compile(): Promise<WebAssembly.Module>;
  /** At once; undefined where that cannot be. */
  compileNow?(): WebAssembly.Module;
}

/** The four modules; see wasm/build.py. */
export interface WasmSources {
  readonly runtime: WasmSource;
  readonly sampling: WasmSource;
  readonly converter: WasmSource;
  readonly readers: WasmSource;
}
