import type { ModelType } from "spmlite";
import { formatCount, formatMilliseconds, formatSize } from "../text/format.ts";
import type { ModelFacts } from "../worker/messages.ts";

const TYPE_NAMES: Readonly<Record<ModelType, string>> = {
  UNIGRAM: "Unigram",
  BPE: "BPE",
  WORD: "Word",
  CHAR: "Character",
};

/** A model in a line. */
export function ModelFactsLine({ of }: { readonly of: ModelFacts }) {
  const { modelType, vocabSize, byteLength, loadMilliseconds } = of;
  const facts = [
    TYPE_NAMES[modelType],
    `${formatCount(vocabSize)} pieces`,
    formatSize(byteLength),
    `loaded in ${formatMilliseconds(loadMilliseconds)}`,
  ];
  return <p class="facts">{facts.join(" · ")}</p>;
}
