// The types of the `.wasm` files, for those whose bundler or platform imports them.

/** What an import of one gives, compiled; with some bundlers an address instead. */
declare const module: WebAssembly.Module;

export default module;
