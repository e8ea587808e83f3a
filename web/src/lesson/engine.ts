// The real engine with the site's own models, each loaded when a lab first asks for it.

import { type Signal, signal } from "@preact/signals";
import { Tokenizer } from "spmlite";
import { siteAddress } from "../site.ts";
import type { StripPiece } from "./strip.tsx";

export const MODEL_NAMES = ["unigram", "bpe"] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/** As a choice among them has it; web/scripts/train_demo.py trains them. */
export const MODEL_OPTIONS: readonly { readonly value: ModelName; readonly label: string }[] = [
  { value: "unigram", label: "Unigram" },
  { value: "bpe", label: "BPE" },
];

const FILES: Readonly<Record<ModelName, string>> = {
  unigram: "models/demo_unigram.spm.fb",
  bpe: "models/demo_bpe.spm.fb",
};

/** One sentence on why there is no engine, where there is none. */
export const problem = signal("");

const loaded = new Map<ModelName, Signal<Tokenizer | undefined>>();

/** The tokenizer, or nothing while it is still on its way. */
export function tokenizerOf(name: ModelName): Tokenizer | undefined {
  const known = loaded.get(name);
  if (known !== undefined) return known.value;
  const tokenizer = signal<Tokenizer | undefined>(undefined);
  loaded.set(name, tokenizer);
  load(name, tokenizer);
  return tokenizer.value;
}

async function load(name: ModelName, into: Signal<Tokenizer | undefined>): Promise<void> {
  try {
    into.value = await Tokenizer.load(siteAddress(FILES[name]));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problem.value = `The model did not load: ${reason}. Reload the page to try again.`;
  }
}

/** What the model makes of a text; nothing while the model is on its way. */
export function encodeWith(name: ModelName, text: string): readonly StripPiece[] | undefined {
  const tokenizer = tokenizerOf(name);
  if (tokenizer === undefined) return undefined;
  return Array.from(tokenizer.encode(text), (id) => ({
    text: tokenizer.idToPiece(id),
    id,
    type: tokenizer.type(id),
  }));
}
