// What of a long text changed, so that a key in it need not send all of it to another thread.

import { firstDifference } from "./measure.ts";

/** The units [begin, end) of a text, in UTF-16, and what they became. */
export interface TextChange {
  readonly begin: number;
  readonly end: number;
  readonly inserted: string;
}

/** The text after a change. */
export function changed(text: string, { begin, end, inserted }: TextChange): string {
  return text.slice(0, begin) + inserted + text.slice(end);
}

/** Tells one listener of a text, each time what changed; both begin with the empty one. */
export class ChangeTeller {
  #told = "";

  changeTo(text: string): TextChange {
    const before = this.#told;
    this.#told = text;
    const begin = firstDifference(before, text);
    if (begin < 0) return { begin: 0, end: 0, inserted: "" };
    const back = commonBack(before, text, Math.min(before.length, text.length) - begin);
    return {
      begin,
      end: before.length - back,
      inserted: text.slice(begin, text.length - back),
    };
  }
}

// Longer runs are compared at once, which takes a hundredth of the time.
const COMPARED_AT_ONCE = 4_096;

/** How many units at their ends two texts have in common, `most` at most. */
function commonBack(a: string, b: string, most: number): number {
  const endOf = (text: string, from: number, to: number) =>
    text.slice(text.length - to, text.length - from);
  let back = 0;
  for (let size = COMPARED_AT_ONCE; size >= 1; size = size > 1 ? 1 : 0) {
    while (back + size <= most && endOf(a, back, back + size) === endOf(b, back, back + size)) {
      back += size;
    }
  }
  return back;
}
