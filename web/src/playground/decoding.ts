// The way back: ids in, text out, by each model.

import { computed, effect, signal } from "@preact/signals";
import type { Column } from "./column.ts";
import { columns, mainColumn, sentenceOf } from "./state.ts";

/** What is in the box of ids to decode. */
export const idList = signal("");

export interface Decoded {
  readonly column: Column;
  readonly text: string;
  readonly problem: string;
}

/** What each model decodes the ids to. */
export const decoded = signal<readonly Decoded[]>([]);

export const canFillIn = computed(() => mainColumn.value?.encoding.value !== undefined);

export function fillInIds(): void {
  idList.value = mainColumn.value?.encoding.value?.ids.join(" ") ?? "";
}

effect(() => {
  const [list, all] = [idList.value, columns.value];
  Promise.all(all.map((column) => decode(column, list))).then((results) => {
    // Meanwhile there may be something else to decode.
    if (list === idList.value && all === columns.value) decoded.value = results;
  });
});

async function decode(column: Column, list: string): Promise<Decoded> {
  try {
    return { column, text: await column.model.engine.decode(list), problem: "" };
  } catch (error) {
    return { column, text: "", problem: sentenceOf(error) };
  }
}
