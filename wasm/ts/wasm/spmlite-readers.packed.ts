export { default as packed } from "packed:spmlite-readers.wasm";
