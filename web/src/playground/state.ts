// All that the playground knows besides the text, and all that can happen to it. Components read
// these signals and call these functions; they keep nothing of their own.

import { batch, computed, effect, signal } from "@preact/signals";
import { tokenBefore } from "../engine/encoding.ts";
import { LoadedModel } from "../engine/loaded-model.ts";
import { DEMO_MODELS, fileModel, type ModelSource } from "../engine/models.ts";
import { Column } from "./column.ts";
import { setText, text } from "./text.ts";
import { typingMinder } from "./typing.ts";

export type View = "tokens" | "ids" | "bytes";

/** How many models fit side by side. */
export const MOST_COLUMNS = 3;

/** The models to choose among: the demos, then the files that were opened. */
export const sources = signal<readonly ModelSource[]>(DEMO_MODELS);

/** The models that are being loaded. */
export const loading = signal<readonly ModelSource[]>([]);

/** The models in use, from left to right. */
export const columns = signal<readonly Column[]>([]);

/** The column that was used last: what is told in one place is told of its token. */
const usedColumn = signal<Column | undefined>(undefined);
export const mainColumn = computed(() => {
  const used = usedColumn.value;
  return used !== undefined && columns.value.includes(used) ? used : columns.value[0];
});

/** Whether there are tokens of a text that is not the present one. */
export const areTokensBehind = computed(() =>
  columns.value.some(({ encoding }) => (encoding.value?.text ?? text.value) !== text.value),
);

/** One sentence on what went wrong last, until something else is tried. */
export const problem = signal("");

export const view = signal<View>("tokens");

/** Begins or ends the use of a model. */
export function toggleModel(source: ModelSource): void {
  problem.value = "";
  const column = columns.value.find(({ key }) => key === source.key);
  if (column === undefined) addColumn(source, columns.value);
  else removeColumn(column);
}

/** Uses these models, and no others, in this order. */
export async function useOnly(wanted: readonly ModelSource[]): Promise<void> {
  let stay: readonly Column[] = [];
  for (const source of wanted.slice(0, MOST_COLUMNS)) {
    const column = columns.value.find(({ key }) => key === source.key);
    if (column === undefined) await addColumn(source, stay);
    stay = columns.value.filter(({ key }) => wanted.some((each) => each.key === key));
  }
  for (const column of columns.value) if (!stay.includes(column)) removeColumn(column);
}

/**
 * Opens files of the user's: models, and texts, of which the last is shown. Models take the place of the
 * demo models; beyond three the oldest gives way. A file joins the choice once it has proved a model.
 */
export async function openFiles(files: readonly File[]): Promise<void> {
  problem.value = "";
  const isDemo = ({ key }: Column) => DEMO_MODELS.some((demo) => demo.key === key);
  const text = files.findLast(isText);
  if (text !== undefined) setText((await text.text()).replaceAll("\r\n", "\n"));
  for (const file of files.filter((each) => !isText(each)).slice(-MOST_COLUMNS)) {
    const others = columns.value.filter((column) => !isDemo(column));
    await addColumn(fileModel(file), others.length === 0 ? [] : others);
  }
}

/** Loads a model and puts it behind those that stay; where it is none, all stay. */
export async function addColumn(source: ModelSource, stay: readonly Column[]): Promise<void> {
  loading.value = [...loading.value, source];
  try {
    useModel(await LoadedModel.load(source), stay);
  } catch (error) {
    problem.value = sentenceOf(error);
  } finally {
    loading.value = loading.value.filter((each) => each !== source);
  }
}

/** Takes a token to be the one that is told of, and what covers its text in the other columns. */
export function chooseToken(column: Column, index: number): void {
  const place = column.encoding.value?.offsets[2 * index] ?? 0;
  batch(() => {
    usedColumn.value = column;
    for (const each of columns.value) {
      const { encoding, chosenIndex, hoveredIndex } = each;
      hoveredIndex.value = undefined;
      if (each === column) chosenIndex.value = index;
      else if (encoding.value !== undefined) chosenIndex.value = tokenBefore(encoding.value, place);
    }
  });
}

function useModel(model: LoadedModel, stay: readonly Column[]): void {
  const { source } = model;
  const column = new Column(model, (error) => {
    problem.value = sentenceOf(error);
  });
  const kept = stay
    .filter((each) => columns.value.includes(each) && each.key !== source.key)
    .slice(1 - MOST_COLUMNS);
  batch(() => {
    for (const each of columns.value) if (!kept.includes(each)) each.model.free();
    columns.value = [...kept, column];
    column.encode(text.peek());
    const others = sources.value.filter(({ key }) => key !== source.key);
    if (!sources.value.includes(source)) sources.value = [...others, source];
  });
}

function removeColumn(column: Column): void {
  columns.value = columns.value.filter((each) => each !== column);
  column.model.free();
}

/** By what the browser takes its name for; models have no such names. */
function isText({ type }: File): boolean {
  return type.startsWith("text/");
}

export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

// A column that is new does not wait for a pause: it is asked when it is made.
const mind = typingMinder();
effect(() =>
  mind(text.value.length, () => {
    for (const column of columns.peek()) column.encode(text.peek());
  }),
);
