// Makes visible what has no ink of its own.

/** A run of text; a sign stands for one invisible character. */
export interface VisibleRun {
  readonly text: string;
  readonly isSign: boolean;
}

// SentencePiece writes a space as U+2581, which has ink, but is easily taken for
// an underscore: it is a sign too.
const INVISIBLE = /([\p{White_Space}\p{Cc}\p{Cf}\u2581])/u;

const SIGNS: ReadonlyMap<string, string> = new Map([
  [" ", "·"],
  ["\t", "⇥"],
  ["\n", "↵"],
  ["\r", "␍"],
  ["\u2581", "\u2581"],
]);

/** The text as runs that can all be seen. */
export function visibleRuns(text: string): VisibleRun[] {
  // A combining mark at the front would otherwise sit on its neighbour's edge.
  const standing = /^\p{Mn}/u.test(text) ? `◌${text}` : text;
  return standing
    .split(INVISIBLE)
    .filter((run) => run !== "")
    .map((run) =>
      INVISIBLE.test(run) ? { text: signOf(run), isSign: true } : { text: run, isSign: false },
    );
}

function signOf(character: string): string {
  return SIGNS.get(character) ?? codePointName(character);
}

/** Such as U+200B. */
function codePointName(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
