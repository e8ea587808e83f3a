// A text and what a model makes of it.

import type { EncodedText } from "../worker/messages.ts";
import type { LoadedModel } from "./loaded-model.ts";

export interface Encoding extends EncodedText {
  readonly model: LoadedModel;
  readonly text: string;
}

/** The last token that begins at or before a place in the text, in UTF-16 units. */
export function tokenBefore({ offsets, ids }: Encoding, place: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[2 * middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
