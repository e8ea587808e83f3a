import { LONGEST } from "../text/sections.ts";

const PAUSE_MILLISECONDS = 120;

/**
 * Gives something to do with a text that changes: at once with a short text, and with one that is
 * new; with a long one that is being typed into, when the typing pauses: its tokens take longer than
 * the next key.
 */
export function typingMinder(): (length: number, act: () => void) => () => void {
  let lengthBefore = 0;
  return (length, act) => {
    const isTyped = Math.abs(length - lengthBefore) <= LONGEST;
    lengthBefore = length;
    if (length <= LONGEST || !isTyped) {
      act();
      return () => {};
    }
    const timer = setTimeout(act, PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  };
}
