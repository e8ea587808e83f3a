// Counting and cutting a text in whose parts control pieces are recognized.

import { isControl, type Part, type PlainPart } from "./control_pieces.js";
import type { Runtime, TextPart } from "./runtime.js";

// So many ends of a part are tried to be the front of the next one.
const MOST_TRIES = 8;

/** The number of ids of all parts. */
export function countOf(parts: readonly Part[], runtime: Runtime): number {
  return parts.reduce((sum, part) => sum + countOfPart(part, runtime), 0);
}

function countOfPart(part: Part, runtime: Runtime): number {
  return isControl(part) ? 1 : runtime.count(part.text);
}

/** Where the longest front ends that has so many tokens at most, in UTF-16 units. */
export function endOfFront(
  parts: readonly Part[],
  maxTokens: number,
  runtime: Runtime,
): number {
  let room = maxTokens;
  let end = 0;
  for (const part of parts) {
    const count = countOfPart(part, runtime);
    if (count > room)
      return isControl(part)
        ? end
        : end + runtime.truncate(part.text, room).length;
    room -= count;
    end = part.begin + part.text.length;
  }
  return end;
}

/** See `Tokenizer.split`; what overlaps lies between control pieces. */
export function splitParts(
  text: string,
  parts: readonly Part[],
  maxTokens: number,
  overlap: number,
  runtime: Runtime,
): TextPart[] {
  const cutter = new Cutter(text, maxTokens, overlap, runtime);
  for (const part of parts) {
    if (isControl(part))
      cutter.add({ begin: 0, end: part.text.length, tokenCount: 1 }, part);
    else cutter.addPlain(part);
  }
  return cutter.finish();
}

type Range = Omit<TextPart, "text">;

class Cutter {
  readonly #text: string;
  readonly #maxTokens: number;
  readonly #overlap: number;
  readonly #runtime: Runtime;
  readonly #done: TextPart[] = [];
  // What comes next may still have room in it.
  #open: Range | undefined;

  constructor(
    text: string,
    maxTokens: number,
    overlap: number,
    runtime: Runtime,
  ) {
    this.#text = text;
    this.#maxTokens = maxTokens;
    this.#overlap = overlap;
    this.#runtime = runtime;
  }

  /** Adds a range of `part` to the open part if there is room, else to one of its own. */
  add({ begin, end, tokenCount }: Range, part: PlainPart): void {
    if (tokenCount > this.#room()) this.#close();
    this.#open = {
      begin: this.#open?.begin ?? part.begin + begin,
      end: part.begin + end,
      tokenCount: (this.#open?.tokenCount ?? 0) + tokenCount,
    };
  }

  addPlain(part: PlainPart): void {
    const rest = this.#fill(part);
    const { text } = rest;
    const found = this.#runtime.split(text, this.#maxTokens, this.#overlap);
    for (const range of found) {
      this.#close();
      this.add(range, rest);
    }
  }

  finish(): TextPart[] {
    this.#close();
    return this.#done;
  }

  #room(): number {
    return this.#maxTokens - (this.#open?.tokenCount ?? 0);
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { begin, end } = this.#open;
    this.#done.push({ text: this.#text.slice(begin, end), ...this.#open });
    this.#open = undefined;
  }

  /** Puts into the open part what there is room for; gives what is left. */
  #fill(part: PlainPart): PlainPart {
    const room = this.#room();
    if (this.#open === undefined || room < 1) return part;
    const [first, next] = this.#runtime.split(part.text, room, 0);
    if (first === undefined) return { text: "", begin: part.begin };
    if (first.tokenCount > room) return part;
    this.add(first, part);
    if (next === undefined) return { text: "", begin: part.begin };
    const begin = this.#beginOfEnd(first) ?? next.begin;
    return { text: part.text.slice(begin), begin: part.begin + begin };
  }

  /** Where the end of a range begins that the next part is to begin with. */
  #beginOfEnd({ text, begin, tokenCount }: TextPart): number | undefined {
    let left = tokenCount - this.#overlap;
    for (let i = 0; i < MOST_TRIES && 0 < left && left < tokenCount; ++i) {
      const [, end] = this.#runtime.split(text, left, 0);
      if (end === undefined) return undefined;
      const excess = this.#runtime.count(text.slice(end.begin)) - this.#overlap;
      if (excess <= 0) return begin + end.begin;
      left += excess;
    }
    return undefined;
  }
}
