// Tokens in rows, of which a long list shows those in sight.

const MOST_TOKENS_IN_A_ROW = 120;
const LINE_FEED = 0x0a;

/**
 * The first token of each row, and the number of tokens at the end. A row ends where a line of
 * the text does; a long line takes several. Token `i` spans [2 * i, 2 * i + 1] of the offsets, in
 * UTF-16 units.
 */
export function rowStarts(text: string, offsets: Int32Array): Int32Array {
  const tokens = offsets.length / 2;
  const starts = new Int32Array(tokens + 1);
  let rows = 0;
  let start = 0;
  for (let i = 0; i < tokens; i++) {
    const end = offsets[2 * i + 1] ?? 0;
    const endsLine = end > (offsets[2 * i] ?? 0) && text.charCodeAt(end - 1) === LINE_FEED;
    if (!endsLine && i + 1 - start < MOST_TOKENS_IN_A_ROW) continue;
    starts[rows++] = start;
    start = i + 1;
  }
  if (start < tokens) starts[rows++] = start;
  starts[rows] = tokens;
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
