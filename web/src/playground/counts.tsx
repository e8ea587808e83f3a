import { formatCount, formatMilliseconds, formatRatio } from "../text/format.ts";
import type { Column } from "./column.ts";
import { textSize } from "./text-size.ts";

type Count = readonly [name: string, value: string];

/** How long the text is. */
export function TextCounts() {
  const size = textSize.value;
  const format = (count: number | undefined) => (count === undefined ? "–" : formatCount(count));
  return (
    <CountList
      counts={[
        ["graphemes", format(size?.graphemes)],
        ["characters", format(size?.characters)],
        ["bytes", format(size?.bytes)],
      ]}
    />
  );
}

/** How many tokens, how much text each stands for, and how long it took. */
export function TokenCounts({ column }: { readonly column: Column }) {
  const encoding = column.encoding.value;
  const tokens = encoding?.ids.length ?? 0;
  const { characters = 0, graphemes = 0, bytes = 0 } = textSize.value ?? {};
  return (
    <CountList
      counts={[
        ["tokens", formatCount(tokens)],
        ["bytes per token", formatRatio(bytes, tokens)],
        ["characters per token", formatRatio(characters, tokens)],
        ["tokens per grapheme", formatRatio(tokens, graphemes)],
        ["encoded in", formatMilliseconds(encoding?.encodeMilliseconds ?? 0)],
      ]}
    />
  );
}

function CountList({ counts }: { readonly counts: readonly Count[] }) {
  return (
    <dl class="counts">
      {counts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
