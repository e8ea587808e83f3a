// Which models there are, and how one becomes ready for use.

import { Tokenizer } from "spmlite";
import { siteAddress } from "../site.ts";

/** A model that can be chosen: one of the site's own, or a file of the user's. */
export interface ModelSource {
  readonly key: string;
  readonly name: string;
  /** Gives the file; messages call it by its name. */
  readonly read: () => Promise<File>;
}

/** A model that is ready for use. */
export interface LoadedModel {
  readonly source: ModelSource;
  readonly tokenizer: Tokenizer;
  /** The size of its file. */
  readonly byteLength: number;
  /** From the file at hand to the ready tokenizer. */
  readonly loadMilliseconds: number;
}

/** Trained by scripts/train_demo.py. */
export const DEMO_MODELS: readonly [ModelSource, ...ModelSource[]] = [
  demoModel("demo-unigram", "Demo Unigram", "models/demo_unigram.spm.fb"),
  demoModel("demo-bpe", "Demo BPE", "models/demo_bpe.spm.fb"),
];

function demoModel(key: string, name: string, path: string): ModelSource {
  return { key, name, read: () => fetchFile(name, path) };
}

/** A file that the user chose or dropped. */
export function fileModel(file: File): ModelSource {
  return { key: "file", name: file.name, read: async () => file };
}

/** Throws an `Error` whose message is a sentence for the user. */
export async function loadModel(source: ModelSource): Promise<LoadedModel> {
  const file = await source.read();
  const start = performance.now();
  const tokenizer = await Tokenizer.load(file);
  const loadMilliseconds = performance.now() - start;
  return { source, tokenizer, byteLength: file.size, loadMilliseconds };
}

async function fetchFile(name: string, path: string): Promise<File> {
  const response = await fetch(siteAddress(path)).catch((cause: unknown) => {
    throw new Error(`${name} could not be fetched: is there a connection?`, { cause });
  });
  if (!response.ok) {
    throw new Error(`${name} could not be fetched: the server answered ${response.status}`);
  }
  return new File([await response.blob()], name);
}
