export { default as packed } from "packed:spmlite-convert.wasm";
