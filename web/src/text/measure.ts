import type { TextSize } from "../worker/messages.ts";

/** How many Unicode characters (code points); a lone surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
    count++;
  }
  return count;
}

/** How many bytes the text takes in UTF-8; a lone surrogate takes three. */
export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Where two texts begin to differ, in UTF-16 units; -1 when they are equal. */
export function firstDifference(a: string, b: string): number {
  if (a === b) return -1;
  return howFar(
    Math.min(a.length, b.length),
    (from, to) => a.slice(from, to) === b.slice(from, to),
  );
}

/** How many UTF-16 units at their ends two texts have in common, `most` at most. */
export function commonEnd(a: string, b: string, most: number): number {
  const part = (text: string, from: number, to: number) =>
    text.slice(text.length - to, text.length - from);
  return howFar(most, (from, to) => part(a, from, to) === part(b, from, to));
}

// Some thousand units are compared as fast as a few single ones.
const COMPARED_AT_ONCE = 4_096;

/** How many units are alike before the first that are not, of `most`. */
function howFar(most: number, areAlike: (from: number, to: number) => boolean): number {
  let count = 0;
  for (const size of [COMPARED_AT_ONCE, 1]) {
    while (count + size <= most && areAlike(count, count + size)) count += size;
  }
  return count;
}

// The time that V8 takes to segment a text grows faster than its length.
const SEGMENTED_AT_ONCE = 4_096;

/** How many graphemes, as the browser's version of Unicode has them. */
export function countGraphemes(text: string): number {
  const segmenter = new Intl.Segmenter("en");
  let count = 0;
  let size = SEGMENTED_AT_ONCE;
  for (let begin = 0; begin < text.length; ) {
    const part = text.slice(begin, begin + size);
    let graphemes = 0;
    let lastBegin = 0;
    for (const { index } of segmenter.segment(part)) {
      graphemes++;
      lastBegin = index;
    }
    if (begin + part.length === text.length) return count + graphemes;
    // The last one may go on in the next part, which therefore begins with it.
    count += graphemes - 1;
    size = lastBegin === 0 ? 2 * size : SEGMENTED_AT_ONCE;
    begin += lastBegin;
  }
  return count;
}

export function measureText(text: string): TextSize {
  return {
    graphemes: countGraphemes(text),
    characters: countCharacters(text),
    bytes: countBytes(text),
  };
}
