import type { ModelType } from "spmlite";
import { formatCount, formatMilliseconds, formatSize } from "../text/format.ts";
import { loading, model } from "./state.ts";

const TYPE_NAMES: Readonly<Record<ModelType, string>> = {
  UNIGRAM: "Unigram",
  BPE: "BPE",
  WORD: "Word",
  CHAR: "Character",
};

/** What model is in use, in a line. */
export function ModelFacts() {
  return (
    <p class="facts" role="status">
      {loading.value !== undefined ? `Loading ${loading.value.name} …` : factsOfModel()}
    </p>
  );
}

function factsOfModel(): string {
  if (model.value === undefined) return "No model";
  const { tokenizer, byteLength, loadMilliseconds } = model.value;
  return [
    TYPE_NAMES[tokenizer.modelType],
    `${formatCount(tokenizer.vocabSize)} pieces`,
    formatSize(byteLength),
    `loaded in ${formatMilliseconds(loadMilliseconds)}`,
  ].join(" · ");
}
