// What build.mjs makes of these addresses.
declare module "packed:*" {
  /** The bytes of a file of dist/, as inlined.ts reads them. */
  const packed: string;
  export default packed;
}
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
