// Where models cut one text differently.

import type { Encoding } from "./encoding.ts";

export interface Differences {
  /** For each encoding: 1 for each token of a stretch that the others cut in another way. */
  readonly marks: readonly Uint8Array[];
  /** Where those stretches begin in the text, in UTF-16 units. */
  readonly places: readonly number[];
}

/**
 * Compares encodings of one text. It falls into stretches, each from one place where all of them
 * begin a token to the next such place; a stretch differs where its tokens have other spans.
 */
export function findDifferences(encodings: readonly Encoding[]): Differences {
  const marks = encodings.map(({ ids }) => new Uint8Array(ids.length));
  const places: number[] = [];
  let begins = encodings.map(() => 0);
  for (let place = -1; place < Number.POSITIVE_INFINITY; ) {
    const ends = nextCommonBegin(encodings, begins, place);
    if (!areCutAlike(encodings, begins, ends)) {
      places.push(Math.max(place, 0));
      marks.forEach((mark, m) => {
        mark.fill(1, begins[m], ends[m]);
      });
    }
    place = beginOf(encodings[0], ends[0] ?? 0);
    begins = ends;
  }
  return { marks, places };
}

/** For each encoding the token that begins at the first place beyond `place` that all share. */
function nextCommonBegin(
  encodings: readonly Encoding[],
  tokens: readonly number[],
  place: number,
): number[] {
  const found = encodings.map((encoding, m) => firstFrom(encoding, tokens[m] ?? 0, place + 1));
  for (;;) {
    const begins = found.map((token, m) => beginOf(encodings[m], token));
    const furthest = Math.max(...begins);
    if (begins.every((begin) => begin === furthest)) return found;
    encodings.forEach((encoding, m) => {
      found[m] = firstFrom(encoding, found[m] ?? 0, furthest);
    });
  }
}

/** The first token, from one on, that begins at `place` or later. */
function firstFrom(encoding: Encoding, token: number, place: number): number {
  let found = token;
  while (beginOf(encoding, found) < place) found++;
  return found;
}

/** Behind the last token is infinity. */
function beginOf(encoding: Encoding | undefined, token: number): number {
  return encoding?.offsets[2 * token] ?? Number.POSITIVE_INFINITY;
}

function areCutAlike(
  encodings: readonly Encoding[],
  begins: readonly number[],
  ends: readonly number[],
): boolean {
  const [first, ...others] = encodings.map(({ offsets }, m) =>
    offsets.subarray(2 * (begins[m] ?? 0), 2 * (ends[m] ?? 0)),
  );
  return others.every(
    (other) => other.length === first?.length && other.every((place, i) => place === first[i]),
  );
}
