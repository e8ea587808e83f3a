// What of a long text changed, so that a key in it need not send all of it to another thread.

import { commonEnd, firstDifference } from "./measure.ts";

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
    const back = commonEnd(before, text, Math.min(before.length, text.length) - begin);
    return {
      begin,
      end: before.length - back,
      inserted: text.slice(begin, text.length - back),
    };
  }
}
