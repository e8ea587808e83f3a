import { memo } from "preact/compat";
import { hueOf } from "../components/hue.ts";
import { VisibleText } from "../components/visible-text.tsx";
import { type Token, tokenText } from "../engine/token.ts";
import { formatBytes } from "../text/format.ts";
import type { View } from "./state.ts";

interface TokenChipProps {
  readonly token: Token;
  readonly view: View;
  readonly isChosen: boolean;
}

/** A token as a small box: its colour comes from the id, its edge from the type. */
export const TokenChip = memo(function TokenChip({ token, view, isChosen }: TokenChipProps) {
  return (
    <div
      class="chip"
      role="option"
      id={chipId(token.index)}
      aria-selected={isChosen}
      tabIndex={isChosen ? 0 : -1}
      data-index={token.index}
      data-id={token.id}
      data-type={token.type}
      style={{ "--hue": hueOf(token.id) }}
    >
      <Face token={token} view={view} />
    </div>
  );
});

/** The element of a token, for the keyboard to go to. */
export function chipId(index: number): string {
  return `token-${index}`;
}

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
