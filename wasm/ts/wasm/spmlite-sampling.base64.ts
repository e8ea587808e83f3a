export { default as base64 } from "base64:spmlite-sampling.wasm";
