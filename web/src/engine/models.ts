// Which models there are to choose from.

import { siteAddress } from "../site.ts";

/** A model that can be chosen: one of the site's own, or a file of the user's. */
export interface ModelSource {
  /** Tells it from the others, in links too. */
  readonly key: string;
  readonly name: string;
  /** Gives the file; messages call it by its name. */
  readonly read: () => Promise<File>;
}

/** Trained by scripts/train_demo.py. */
export const DEMO_MODELS: readonly [ModelSource, ...ModelSource[]] = [
  demoModel("unigram", "Demo Unigram", "models/demo_unigram.spm.fb"),
  demoModel("bpe", "Demo BPE", "models/demo_bpe.spm.fb"),
];

function demoModel(key: string, name: string, path: string): ModelSource {
  return { key, name, read: () => fetchFile(name, path) };
}

/** A file that the user chose or dropped. */
export function fileModel(file: File): ModelSource {
  return { key: `file:${file.name}`, name: file.name, read: async () => file };
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
