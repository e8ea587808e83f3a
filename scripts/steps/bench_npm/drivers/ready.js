// In a page: how long the package's script takes, and from there to the first ids.

export async function ready(source, options) {
  const start = performance.now();
  const { Tokenizer } = await import("./dist/index.js");
  const begin = performance.now();
  const tokenizer = await Tokenizer.load(source, options);
  const { length } = tokenizer.encode("The first text of this page.");
  const milliseconds = performance.now() - begin;
  tokenizer.free();
  return { script: begin - start, milliseconds, length };
}
