export { default as base64 } from "base64:spmlite-readers.wasm";
