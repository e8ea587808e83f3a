// What a page and its workers say to one another. A worker is asked one thing at a time,
// and answers each.

import { SpmliteError, type SpmliteErrorCode } from "./errors.js";
import type { NamedBytes } from "./source.js";
import type { ModelType, Tokenizer } from "./tokenizer.js";

/** The calls of a tokenizer that a worker answers. */
export type Method =
  | "encode"
  | "encodeBatch"
  | "encodeWithOffsets"
  | "count"
  | "isWithinLimit"
  | "truncate"
  | "split"
  | "decode"
  | "decodeBytes"
  | "decodeWithOffsets"
  | "sample"
  | "nbest"
  | "normalize"
  | "idToPiece"
  | "pieceToId"
  | "score"
  | "type";

export type Arguments<Name extends Method> = Parameters<Tokenizer[Name]>;
export type Result<Name extends Method> = ReturnType<Tokenizer[Name]>;

export interface Convert {
  readonly ask: "convert";
  readonly modules: readonly WebAssembly.Module[];
  readonly model: NamedBytes;
}
export interface Create {
  readonly ask: "create";
  readonly module: WebAssembly.Module;
  readonly model: NamedBytes;
}
export interface Call<Name extends Method = Method> {
  readonly ask: "call";
  readonly method: Name;
  readonly arguments: Arguments<Name>;
}
/** Of a streaming decoder, by the number that the page gave it. */
export interface DecoderCall {
  readonly ask: "decoder";
  readonly decoder: number;
  /** "begin" makes it, "end" frees it; ids are added. */
  readonly call: "begin" | "finish" | "end" | Int32Array;
}
export type Question = Convert | Create | Call | DecoderCall;

export interface Failure {
  readonly code: SpmliteErrorCode;
  readonly message: string;
}
export type Answer = { readonly value: unknown } | { readonly error: Failure };

/** What is told of a model once. */
export interface ModelFacts {
  readonly vocabSize: number;
  readonly modelType: ModelType;
  readonly unkId: number;
  readonly bosId: number;
  readonly eosId: number;
  readonly padId: number;
}

export function toError({ code, message }: Failure): SpmliteError {
  return new SpmliteError(code, message);
}
