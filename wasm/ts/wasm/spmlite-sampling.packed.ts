export { default as packed } from "packed:spmlite-sampling.wasm";
