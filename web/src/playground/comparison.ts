// What the columns have to do with one another.

import { computed } from "@preact/signals";
import { findDifferences } from "../engine/differences.ts";
import { tokenBefore } from "../engine/encoding.ts";
import type { Column } from "./column.ts";
import { chooseToken, columns, mainColumn } from "./state.ts";

/** Where the models differ; nothing while one of them is behind, or alone. */
export const differences = computed(() => {
  const encodings = columns.value.flatMap(({ encoding }) => encoding.value ?? []);
  const text = encodings[0]?.text;
  const areComparable = encodings.length > 1 && encodings.length === columns.value.length;
  if (!areComparable || encodings.some((each) => each.text !== text)) return undefined;
  return findDifferences(encodings);
});

/** Of a column: 1 for each token of a stretch that another model cuts differently. */
export function marksOf(column: Column): Uint8Array | undefined {
  return differences.value?.marks[columns.value.indexOf(column)];
}

/** Goes to the next place where the models differ, or the one before. */
export function goToDifference(direction: 1 | -1): void {
  const column = mainColumn.value;
  const encoding = column?.encoding.value;
  if (column === undefined || encoding === undefined) return;
  const here = encoding.offsets[2 * column.chosenIndex.value] ?? 0;
  const places = differences.value?.places ?? [];
  const next =
    direction === 1
      ? (places.find((place) => place > here) ?? places[0])
      : (places.findLast((place) => place < here) ?? places.at(-1));
  if (next !== undefined) chooseToken(column, firstTokenAt(encoding, next));
}

function firstTokenAt(encoding: Parameters<typeof tokenBefore>[0], place: number): number {
  let index = tokenBefore(encoding, place);
  while (index > 0 && (encoding.offsets[2 * index - 2] ?? 0) === place) index--;
  return index;
}
