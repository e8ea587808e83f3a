// A page's script: what each model makes of lines, and whether all ways to use the package
// make the same of them. The page is left with `told`.

import { Tokenizer } from "./dist/index.js";
import { Tokenizer as ExternalTokenizer } from "./dist/external.js";
import { WorkerTokenizer } from "./dist/worker.js";

const get = async (name) => (await fetch(name)).json();
const [models, lines] = await Promise.all([get("models.json"), get("lines.json")]);

function recordOf({ ids, offsets, byteOffsets }) {
  return [Int32Array.of(ids.length), ids, offsets, byteOffsets];
}

async function numbersOf(model) {
  const tokenizer = await Tokenizer.load(model);
  const parts = lines.flatMap((line) => recordOf(tokenizer.encodeWithOffsets(line)));
  tokenizer.free();
  return toBase64(new Uint8Array(await new Blob(parts).arrayBuffer()));
}

function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
}

/** Loaded in other ways: from a file of its own, in workers, and from the Cache API. */
async function otherWays(model) {
  await (await Tokenizer.load(model, { cache: true })).free();
  return {
    external: await ExternalTokenizer.load(model),
    workers: await WorkerTokenizer.load(model, { workers: 2 }),
    kept: await Tokenizer.load(model, { cache: true }),
  };
}

async function waysThatDiffer(model) {
  const tokenizer = await Tokenizer.load(model);
  const expected = String(tokenizer.encodeBatch(lines));
  const ways = Object.entries(await otherWays(model));
  const found = await Promise.all(
    ways.map(async ([name, way]) => [name, String(await way.encodeBatch(lines))]),
  );
  return found.filter(([, ids]) => ids !== expected).map(([name]) => name);
}

async function tell() {
  const numbers = {};
  for (const model of models) numbers[model] = await numbersOf(model);
  const { userAgent } = navigator;
  return { userAgent, numbers, differing: await waysThatDiffer(models[0]) };
}

globalThis.told = await tell().catch((error) => ({ error: `${error}\n${error.stack}` }));
