// The package's public names. Importing it does nothing: the first load compiles
// the WebAssembly module, which later ones share.

export { SpmliteError, type SpmliteErrorCode } from "./errors.js";
export type { ModelSource } from "./source.js";
export {
  type EncodingWithOffsets,
  type ModelType,
  type PieceType,
  Tokenizer,
} from "./tokenizer.js";
