// The package's public names. Importing it does nothing: the first load compiles
// the WebAssembly module, which later ones share.

export { SpmliteError, type SpmliteErrorCode } from "./errors.js";
export type { Ids } from "./ids.js";
export type { OffsetUnit, Segmentation } from "./runtime.js";
export type { SampleOptions } from "./sampling.js";
export type { ModelSource } from "./source.js";
export type { StreamingDecoder } from "./streaming_decoder.js";
export {
  type DecodingWithOffsets,
  type EncodingWithOffsets,
  type LoadOptions,
  type ModelType,
  type OffsetOptions,
  type PieceType,
  Tokenizer,
} from "./tokenizer.js";
