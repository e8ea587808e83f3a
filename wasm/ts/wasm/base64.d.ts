// What build.mjs makes of these addresses.
declare module "base64:*" {
  /** The bytes of a file of dist/. */
  const base64: string;
  export default base64;
}
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
