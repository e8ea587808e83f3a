import type { PieceType } from "spmlite";

/** What the lower edges of the tokens mean. */
export function EdgeLegend() {
  return (
    <p class="hint">
      Edges: <span class="edge">plain</span>, a piece of the vocabulary;{" "}
      <Edge type="BYTE">dashed</Edge>, one byte of a character that has no piece;{" "}
      <Edge type="USER_DEFINED">double</Edge>, a user-defined piece;{" "}
      <Edge type="UNKNOWN">dotted</Edge>, unknown. A bar above: another model cuts this differently.
      Hatched: beyond the limit. The sign ▁ stands for a space.
    </p>
  );
}

interface EdgeProps {
  readonly type: PieceType;
  readonly children: string;
}

function Edge({ type, children }: EdgeProps) {
  return (
    <span class="edge" data-type={type}>
      {children}
    </span>
  );
}
