// How much of the text fits into so many tokens.

import { signal } from "@preact/signals";
import type { Encoding } from "../engine/encoding.ts";
import { formatAmount, formatCount } from "../text/format.ts";
import { countCharacters } from "../text/measure.ts";
import type { Column } from "./column.ts";

/** The most that BERT takes, and many a model for embeddings since. */
const USUAL_LIMIT = 512;

/** In tokens. */
export const limit = signal(USUAL_LIMIT);

export function LimitField() {
  return (
    <label class="inline-field">
      Limit in tokens
      <input
        type="number"
        min={1}
        step={1}
        value={limit}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          if (Number.isInteger(typed) && typed > 0) limit.value = typed;
        }}
      />
    </label>
  );
}

/** Whether the text fits, and how much of it does. */
export function FitNote({ column }: { readonly column: Column }) {
  const encoding = column.encoding.value;
  const tokens = encoding?.ids.length ?? 0;
  const used = formatPercent(tokens / limit.value);
  return (
    <div class="fit">
      <meter
        aria-label={`Tokens of ${column.model.source.name} within the limit`}
        min={0}
        max={limit.value}
        value={Math.min(tokens, limit.value)}
      >
        {used}
      </meter>
      <p class="hint">
        {encoding === undefined || tokens <= limit.value
          ? `Fits: ${formatCount(tokens)} of ${formatAmount(limit.value, "token")}, ${used}.`
          : `Too long by ${formatAmount(tokens - limit.value, "token")}: ${fittingPart(encoding)}.`}
      </p>
    </div>
  );
}

function fittingPart({ text, offsets }: Encoding): string {
  const end = offsets[2 * limit.value - 1] ?? 0;
  const characters = formatAmount(countCharacters(text.slice(0, end)), "character");
  return `the first ${characters} fit, ${formatPercent(end / text.length)} of the text`;
}

function formatPercent(part: number): string {
  const percent = 100 * part;
  return `${percent < 10 ? percent.toFixed(1) : formatCount(Math.floor(percent))} %`;
}
