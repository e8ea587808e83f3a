import { formatCount } from "../text/format.ts";

/** Numbers, each with what it counts below it. */
export function Counts({ counts }: { readonly counts: readonly (readonly [string, number])[] }) {
  return (
    <dl class="counts">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
