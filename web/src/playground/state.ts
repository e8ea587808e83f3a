// All that the playground knows, and all that can happen to it. Components read
// these signals and call these functions; they keep nothing of their own.

import { batch, computed, effect, signal } from "@preact/signals";
import { type Encoding, encodeText } from "../engine/encoding.ts";
import { parseIds } from "../engine/id-list.ts";
import {
  DEMO_MODELS,
  fileModel,
  type LoadedModel,
  loadModel,
  type ModelSource,
} from "../engine/models.ts";
import { SAMPLE_TEXT } from "./sample-text.ts";

export type View = "tokens" | "ids" | "bytes";

/** What is in the text box. */
export const text = signal(SAMPLE_TEXT);

/** The models to choose among: the demos, then the file that was opened last. */
export const sources = signal<readonly ModelSource[]>(DEMO_MODELS);

/** The model that is being loaded. */
export const loading = signal<ModelSource | undefined>(undefined);

/** The model in use. */
export const model = signal<LoadedModel | undefined>(undefined);

/** One sentence on what went wrong last, until something else is tried. */
export const problem = signal("");

/** The text as it was encoded last: a long one lags behind the typing. */
export const encoding = signal<Encoding | undefined>(undefined);

export const view = signal<View>("tokens");

/** The token that keyboard or click stays at. */
export const chosenIndex = signal(0);

/** The token under the pointer, which goes before the chosen one. */
export const hoveredIndex = signal<number | undefined>(undefined);

/** What is in the box of ids to decode. */
export const idList = signal("");

export interface Decoded {
  readonly text: string;
  readonly problem: string;
}

export const decoded = computed<Decoded>(() => {
  if (model.value === undefined) return { text: "", problem: "" };
  try {
    const ids = parseIds(idList.value);
    return { text: model.value.tokenizer.decode(ids), problem: "" };
  } catch (error) {
    return { text: "", problem: sentenceOf(error) };
  }
});

export async function chooseModel(source: ModelSource): Promise<void> {
  batch(() => {
    loading.value = source;
    problem.value = "";
  });
  try {
    const loaded = await loadModel(source);
    if (loading.value === source) useModel(loaded);
  } catch (error) {
    if (loading.value === source) giveUp(error);
  }
}

/** Opens a file of the user's; it joins the choice once it has proved a model. */
export function openFile(file: File): Promise<void> {
  return chooseModel(fileModel(file));
}

export function fillInIds(): void {
  idList.value = encoding.value?.ids.join(" ") ?? "";
}

function useModel(loaded: LoadedModel): void {
  batch(() => {
    loading.value = undefined;
    model.value = loaded;
    if (!sources.value.includes(loaded.source)) {
      sources.value = [...DEMO_MODELS, loaded.source];
    }
  });
}

function giveUp(error: unknown): void {
  batch(() => {
    loading.value = undefined;
    problem.value = sentenceOf(error);
  });
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

// A short text is encoded at every key; a long one once the typing pauses.
const LONG_TEXT = 20_000;
const VERY_LONG_TEXT = 500_000;

function pauseFor(length: number): number {
  if (length < LONG_TEXT) return 0;
  return length < VERY_LONG_TEXT ? 100 : 300;
}

let waiting: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  const [currentModel, currentText] = [model.value, text.value];
  clearTimeout(waiting);
  if (currentModel === undefined) return;
  const pause = currentModel === encoding.peek()?.model ? pauseFor(currentText.length) : 0;
  if (pause === 0) encode(currentModel, currentText);
  else waiting = setTimeout(encode, pause, currentModel, currentText);
});

function encode(currentModel: LoadedModel, currentText: string): void {
  batch(() => {
    hoveredIndex.value = undefined;
    try {
      encoding.value = encodeText(currentModel, currentText);
    } catch (error) {
      encoding.value = undefined;
      problem.value = sentenceOf(error);
    }
    const last = Math.max(0, (encoding.value?.ids.length ?? 0) - 1);
    chosenIndex.value = Math.min(chosenIndex.peek(), last);
  });
}
