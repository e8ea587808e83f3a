// The types of web pages that this package's own types mention. They are empty where
// the compiler has neither DOM types nor Node's, and otherwise merge with those.

declare global {
  interface AbortSignal {}
  interface Blob {}
  interface Request {}
  interface Response {}
  interface URL {}
  interface Worker {}
  interface ReadableStream<R> {}
  interface TransformStream<I, O> {}
}

export {};
