import { countCharacters, firstDifference } from "../text/measure.ts";
import type { RoundTrip } from "./messages.ts";

const SHOWN_CHARACTERS = 12;

/** Where and how a decoded text differs from the one that was encoded. */
export function compareDecoded(text: string, decoded: string): RoundTrip {
  const at = firstDifference(text, decoded);
  if (at < 0) return { differsAt: 0, before: "", after: "" };
  return {
    differsAt: countCharacters(text.slice(0, at)) + 1,
    before: excerpt(text, at),
    after: excerpt(decoded, at),
  };
}

function excerpt(text: string, at: number): string {
  const characters = Array.from(text.slice(at, at + 2 * SHOWN_CHARACTERS));
  const isCut = characters.length > SHOWN_CHARACTERS || at + 2 * SHOWN_CHARACTERS < text.length;
  return characters.slice(0, SHOWN_CHARACTERS).join("") + (isCut ? "…" : "");
}
