// How long the text is: a worker of its own counts, which takes longer than to encode it.

import { effect, signal } from "@preact/signals";
import { wrap } from "comlink";
import { Latest } from "../engine/latest.ts";
import { ChangeTeller } from "../text/change.ts";
import type { TextSize } from "../worker/messages.ts";
import type { TextEngine } from "../worker/text-worker.ts";
import { areTokensBehind } from "./state.ts";
import { text } from "./text.ts";

/** The length of the text, as it was measured last: it lags behind the tokens. */
export const textSize = signal<TextSize | undefined>(undefined);

/** From now on the text is measured whenever its tokens are there, which are waited for. */
export function measureText(): void {
  const worker = new Worker(new URL("../worker/text-worker.ts", import.meta.url), {
    type: "module",
    name: "text",
  });
  const engine = wrap<TextEngine>(worker);
  const teller = new ChangeTeller();
  const measuring = new Latest(async (current: string) => {
    textSize.value = await engine.measure(teller.changeTo(current));
  });
  effect(() => {
    if (!areTokensBehind.value) measuring.give(text.value);
  });
}
