import type { Encoding } from "../engine/encoding.ts";
import { formatCount, formatMilliseconds } from "../text/format.ts";
import { encoding } from "./state.ts";

/** How much text and how many tokens, and how long it took. */
export function Counts() {
  const counts = encoding.value === undefined ? [] : countsOf(encoding.value);
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

function countsOf({ ids, characters, bytes, encodeMilliseconds }: Encoding): [string, string][] {
  return [
    ["tokens", formatCount(ids.length)],
    ["characters", formatCount(characters)],
    ["bytes", formatCount(bytes)],
    ["bytes per token", ids.length === 0 ? "–" : (bytes / ids.length).toFixed(2)],
    ["encoded in", formatMilliseconds(encodeMilliseconds)],
  ];
}
