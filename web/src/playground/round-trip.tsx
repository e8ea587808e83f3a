import { VisibleText } from "../components/visible-text.tsx";
import type { Encoding } from "../engine/encoding.ts";
import { formatCount } from "../text/format.ts";
import { countCharacters } from "../text/measure.ts";
import { encoding } from "./state.ts";

const SHOWN_CHARACTERS = 12;

/** Whether the ids decode to the text that they came from. */
export function RoundTrip() {
  if (encoding.value === undefined) return null;
  return encoding.value.differsAt < 0 ? (
    <p class="round-trip" data-exact>
      <span aria-hidden="true">✓</span> Decoding these ids gives the text back exactly.
    </p>
  ) : (
    <Difference encoding={encoding.value} />
  );
}

function Difference({ encoding: { text, decoded, differsAt } }: { readonly encoding: Encoding }) {
  return (
    <p class="round-trip">
      <span aria-hidden="true">≠</span> Decoding these ids gives another text, from character{" "}
      {formatCount(countCharacters(text.slice(0, differsAt)) + 1)} on:{" "}
      <Excerpt of={decoded} at={differsAt} /> instead of <Excerpt of={text} at={differsAt} />.
    </p>
  );
}

function Excerpt({ of, at }: { readonly of: string; readonly at: number }) {
  const characters = Array.from(of.slice(at, at + 2 * SHOWN_CHARACTERS));
  if (characters.length === 0) return <>the end</>;
  const isCut = characters.length > SHOWN_CHARACTERS || at + 2 * SHOWN_CHARACTERS < of.length;
  return (
    <span class="excerpt">
      <VisibleText text={characters.slice(0, SHOWN_CHARACTERS).join("")} />
      {isCut && "…"}
    </span>
  );
}
