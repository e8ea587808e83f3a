import { useComputed } from "@preact/signals";
import type { Encoding } from "../engine/encoding.ts";
import { type Token, tokenAt } from "../engine/token.ts";
import { formatAmount, formatCount } from "../text/format.ts";
import { chosenIndex, encoding, hoveredIndex, view } from "./state.ts";
import { chipId, TokenChip } from "./token-chip.tsx";

/** A browser lays out about so many boxes within one blink. */
const MOST_SHOWN = 2_000;

const LINE_FEED = 0x0a;

/** The tokens, in the order of the text; arrow keys go from one to the next. */
export function TokenList() {
  const tokens = useComputed(() => (encoding.value ? firstTokens(encoding.value) : [])).value;
  if (tokens.length === 0) return <p class="hint">No tokens: the text is empty.</p>;
  return (
    <>
      <div
        class="tokens"
        role="listbox"
        aria-label="Tokens"
        aria-orientation="horizontal"
        data-view={view.value}
        onKeyDown={(event) => goTo(placeAfterKey(event.key, tokens.length), event)}
        onClick={(event) => goTo(indexOf(event.target), event)}
        onPointerOver={(event) => {
          hoveredIndex.value = indexOf(event.target);
        }}
        onPointerLeave={() => {
          hoveredIndex.value = undefined;
        }}
      >
        {tokens.map((token) => (
          <TokenAndBreak key={token.index} token={token} />
        ))}
      </div>
      <ShownNote shown={tokens.length} all={encoding.value?.ids.length ?? 0} />
    </>
  );
}

function firstTokens(of: Encoding): Token[] {
  const length = Math.min(of.ids.length, MOST_SHOWN);
  return Array.from({ length }, (_, index) => tokenAt(of, index)).filter(
    (token) => token !== undefined,
  );
}

function TokenAndBreak({ token }: { readonly token: Token }) {
  return (
    <>
      <TokenChip token={token} view={view.value} isChosen={token.index === chosenIndex.value} />
      {token.bytes.at(-1) === LINE_FEED && <div class="line-break" role="presentation" />}
    </>
  );
}

function ShownNote({ shown, all }: { readonly shown: number; readonly all: number }) {
  if (shown === all) return null;
  return (
    <p class="hint">
      These are the first {formatCount(shown)} of {formatAmount(all, "token")}; the counts are of
      the whole text.
    </p>
  );
}

function goTo(index: number | undefined, event: Event): void {
  if (index === undefined) return;
  event.preventDefault();
  chosenIndex.value = index;
  hoveredIndex.value = undefined;
  document.getElementById(chipId(index))?.focus();
}

function placeAfterKey(key: string, length: number): number | undefined {
  const last = length - 1;
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return Math.min(chosenIndex.value + 1, last);
    case "ArrowLeft":
    case "ArrowUp":
      return Math.max(chosenIndex.value - 1, 0);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

function indexOf(target: EventTarget | null): number | undefined {
  if (!(target instanceof Element)) return undefined;
  const index = target.closest(".chip")?.getAttribute("data-index") ?? undefined;
  return index === undefined ? undefined : Number(index);
}
