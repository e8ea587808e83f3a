// Tokens in rows, of which a long list shows those in sight.

import type { Encoding } from "./encoding.ts";

const MOST_TOKENS_IN_A_ROW = 120;
const LINE_FEED = 0x0a;

/**
 * The first token of each row, and the number of tokens at the end. A row ends where a line of
 * the text does; a long line takes several.
 */
export function rowStarts({ ids, offsets, text }: Encoding): Int32Array {
  const starts = new Int32Array(ids.length + 1);
  let rows = 0;
  let start = 0;
  for (let i = 0; i < ids.length; i++) {
    const end = offsets[2 * i + 1] ?? 0;
    const endsLine = end > (offsets[2 * i] ?? 0) && text.charCodeAt(end - 1) === LINE_FEED;
    if (!endsLine && i + 1 - start < MOST_TOKENS_IN_A_ROW) continue;
    starts[rows++] = start;
    start = i + 1;
  }
  if (start < ids.length) starts[rows++] = start;
  starts[rows] = ids.length;
  return starts.slice(0, rows + 1);
}

/** The row that a token is in. */
export function rowOf(starts: Int32Array, token: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= token) low = middle;
    else high = middle;
  }
  return low;
}
