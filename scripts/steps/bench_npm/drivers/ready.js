// In a page: how long it takes from importing the package to the first ids.

export async function ready(source, options) {
  const begin = performance.now();
  const { Tokenizer } = await import("./dist/index.js");
  const tokenizer = await Tokenizer.load(source, options);
  const { length } = tokenizer.encode("The first text of this page.");
  const milliseconds = performance.now() - begin;
  tokenizer.free();
  return { milliseconds, length };
}
