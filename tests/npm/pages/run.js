// To be bundled: the ids of lines, by each way to use the package.

import { Tokenizer } from "spmlite";
import { Tokenizer as ExternalTokenizer } from "spmlite/external";
import { WorkerTokenizer } from "spmlite/worker";

export async function run() {
  const [model, lines] = await Promise.all([
    fetch("model.model").then((response) => response.arrayBuffer()),
    fetch("lines.json").then((response) => response.json()),
  ]);
  const ofJson = async (Class) =>
    (await Class.load("tokenizer.json")).encode("b ax");
  const numbers = (batch) => batch.map((ids) => [...ids]);
  const tokenizer = await Tokenizer.load(model);
  const external = await ExternalTokenizer.load(model);
  const worker = await WorkerTokenizer.load(model, { workers: 2 });
  return {
    inlined: numbers(tokenizer.encodeBatch(lines)),
    external: numbers(external.encodeBatch(lines)),
    workers: numbers(await worker.encodeBatch(lines)),
    tokenizerJson: numbers(
      await Promise.all([Tokenizer, ExternalTokenizer, WorkerTokenizer].map(ofJson)),
    ),
  };
}
