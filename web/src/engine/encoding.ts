// A text and what a model makes of it.

import { countBytes, countCharacters, firstDifference } from "../text/measure.ts";
import type { LoadedModel } from "./models.ts";

/** A text, encoded. Token `i` spans [2 * i, 2 * i + 1] of both kinds of offsets. */
export interface Encoding {
  readonly model: LoadedModel;
  readonly text: string;
  readonly ids: Int32Array;
  /** In UTF-16 units, as `text.slice` counts. */
  readonly offsets: Int32Array;
  /** In bytes of UTF-8. */
  readonly byteOffsets: Int32Array;
  readonly encodeMilliseconds: number;
  /** Unicode characters (code points) of the text. */
  readonly characters: number;
  /** Bytes of the text as UTF-8. */
  readonly bytes: number;
  /** What the ids decode to. */
  readonly decoded: string;
  /** Where `decoded` begins to differ from `text`, in UTF-16 units; -1: nowhere. */
  readonly differsAt: number;
}

export function encodeText(model: LoadedModel, text: string): Encoding {
  const start = performance.now();
  const { ids, offsets, byteOffsets } = model.tokenizer.encodeWithOffsets(text);
  const encodeMilliseconds = performance.now() - start;
  const decoded = model.tokenizer.decode(ids);
  return {
    model,
    text,
    ids,
    offsets,
    byteOffsets,
    encodeMilliseconds,
    characters: countCharacters(text),
    bytes: countBytes(text),
    decoded,
    differsAt: firstDifference(text, decoded),
  };
}
