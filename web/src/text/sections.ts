// A long text is edited in sections: a text area lays its whole text out anew at every key, which
// takes Chromium some 80 ms for a megabyte, and 10 ms for a tenth of it.

export interface Section {
  /** Where it lies in the text, [begin, end), in UTF-16 units. */
  readonly begin: number;
  readonly end: number;
}

/** About how many UTF-16 units a section has. */
const SIZE = 32_768;

/** A text of up to this many UTF-16 units is one section. */
export const LONGEST = 2 * SIZE;

/** The whole text in sections, in order, each cut after a line feed, else a space, where it can. */
export function sectionsOf(text: string): readonly [Section, ...Section[]] {
  if (text.length <= LONGEST) return [{ begin: 0, end: text.length }];
  const first = { begin: 0, end: cutAfter(text, SIZE) };
  const sections: [Section, ...Section[]] = [first];
  for (let begin = first.end; begin < text.length; ) {
    const end = begin + LONGEST >= text.length ? text.length : cutAfter(text, begin + SIZE);
    sections.push({ begin, end });
    begin = end;
  }
  return sections;
}

/** A good place to cut, not far before the given one. */
function cutAfter(text: string, place: number): number {
  const least = place - SIZE / 2;
  for (const separator of ["\n", " "]) {
    const found = text.lastIndexOf(separator, place - 1);
    if (found >= least) return found + 1;
  }
  // Not between the halves of a surrogate pair.
  return (text.codePointAt(place - 1) ?? 0) > 0xffff ? place - 1 : place;
}
