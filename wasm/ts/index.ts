// The package's public names. Importing it does nothing: the first load compiles
// the WebAssembly module, which later ones share.

export { convert } from "./converter.js";
export type { ControlOptions, EncodeOptions } from "./encode_options.js";
export { SpmliteError, type SpmliteErrorCode } from "./errors.js";
export type { Ids } from "./ids.js";
export type { CacheOptions } from "./model_cache.js";
export { readTokenizerJson, type TokenizerJsonModel } from "./readers.js";
export type { OffsetUnit, Segmentation, TextPart } from "./runtime.js";
export type { SampleOptions } from "./sampling.js";
export type { ModelSource, Progress, ReadOptions } from "./source.js";
export type { StreamingDecoder } from "./streaming_decoder.js";
export type { EncodeStreamOptions } from "./streams.js";
export {
  type DecodingWithOffsets,
  type EncodeOffsetOptions,
  type EncodingWithOffsets,
  type LoadOptions,
  type ModelType,
  type ModuleOptions,
  type OffsetOptions,
  type PieceType,
  type PrepareOptions,
  type SplitOptions,
  Tokenizer,
} from "./tokenizer.js";
