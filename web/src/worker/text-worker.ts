// The script of the worker that measures texts.

import { expose } from "comlink";
import { changed, type TextChange } from "../text/change.ts";
import { measureText } from "../text/measure.ts";
import type { TextSize } from "./messages.ts";

let text = "";

const textEngine = {
  /** The text that was measured last (the empty one at first), with a change. */
  measure(change: TextChange): TextSize {
    text = changed(text, change);
    return measureText(text);
  },
};
export type TextEngine = typeof textEngine;

expose(textEngine);
