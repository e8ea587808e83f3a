import { memo } from "preact/compat";
import { VisibleText } from "../components/visible-text.tsx";
import type { Encoding } from "../engine/encoding.ts";
import { type Token, tokenAt, tokenText } from "../engine/token.ts";
import { formatBytes } from "../text/format.ts";
import type { View } from "./state.ts";

// Successive ids get hues that lie far apart: the golden angle.
const DEGREES_PER_ID = 137.508;

interface TokenChipProps {
  readonly encoding: Encoding;
  readonly index: number;
  /** The element's id, for the list to refer to. */
  readonly id: string;
  readonly view: View;
  readonly isChosen: boolean;
  /** Whether another model cuts its stretch of the text in another way. */
  readonly isDifferent: boolean;
  /** Whether the tokens up to it are more than the limit. */
  readonly isBeyond: boolean;
}

/** A token as a small box: its colour comes from the id, its edge from the type. */
export const TokenChip = memo(function TokenChip(props: TokenChipProps) {
  const { encoding, index, view, isChosen } = props;
  const token = tokenAt(encoding, index);
  if (token === undefined) return null;
  return (
    <div
      class="chip"
      role="option"
      id={props.id}
      tabIndex={-1}
      aria-selected={isChosen}
      aria-setsize={encoding.ids.length}
      aria-posinset={index + 1}
      data-index={index}
      data-id={token.id}
      data-type={token.type}
      data-different={props.isDifferent}
      data-beyond={props.isBeyond}
      style={{ "--hue": ((token.id * DEGREES_PER_ID) % 360).toFixed(1) }}
    >
      <Face token={token} view={view} />
    </div>
  );
});

function Face({ token, view }: { readonly token: Token; readonly view: View }) {
  if (view === "ids") return <span class="chip-code">{token.id}</span>;
  if (view === "bytes") return <span class="chip-code">{formatBytes(token.bytes) || "–"}</span>;
  return (
    <>
      <span class="chip-text">
        <VisibleText text={tokenText(token)} />
      </span>
      <span class="chip-id">{token.id}</span>
    </>
  );
}
