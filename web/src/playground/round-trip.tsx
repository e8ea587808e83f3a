import { VisibleText } from "../components/visible-text.tsx";
import { formatCount } from "../text/format.ts";
import type { Column } from "./column.ts";

/** Whether the ids decode to the text that they came from. */
export function RoundTripNote({ column }: { readonly column: Column }) {
  const roundTrip = column.roundTrip.value;
  if (roundTrip === undefined) return <p class="round-trip" />;
  if (roundTrip.differsAt === 0) {
    return (
      <p class="round-trip" data-exact>
        <span aria-hidden="true">✓</span> Decoding these ids gives the text back exactly.
      </p>
    );
  }
  return (
    <p class="round-trip">
      <span aria-hidden="true">≠</span> Decoding these ids gives another text, from character{" "}
      {formatCount(roundTrip.differsAt)} on: <Excerpt of={roundTrip.after} /> instead of{" "}
      <Excerpt of={roundTrip.before} />.
    </p>
  );
}

function Excerpt({ of }: { readonly of: string }) {
  if (of === "") return <>the end</>;
  return (
    <span class="excerpt">
      <VisibleText text={of} />
    </span>
  );
}
