import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useVirtualRows } from "../components/use-virtual-rows.ts";
import type { Encoding } from "../engine/encoding.ts";
import { rowOf } from "../engine/token-rows.ts";
import type { Column } from "./column.ts";
import { marksOf } from "./comparison.ts";
import { limit } from "./limit.tsx";
import { chooseToken, view } from "./state.ts";
import { TokenChip } from "./token-chip.tsx";

// What is guessed of a row that was not in sight yet, in CSS pixels.
const CHIP_WIDTH = 46;
const LINE_HEIGHT = { tokens: 50, ids: 34, bytes: 34 } as const;

interface TokenListProps {
  readonly column: Column;
}

/** The tokens, in the order of the text; arrow keys go from one to the next. */
export function TokenList({ column }: TokenListProps) {
  const encoding = column.encoding.value;
  if (encoding === undefined) return <div class="tokens" />;
  if (encoding.ids.length === 0) return <p class="tokens hint">No tokens: the text is empty.</p>;
  return <Tokens column={column} encoding={encoding} />;
}

function Tokens({ column, encoding }: TokenListProps & { readonly encoding: Encoding }) {
  const scroller = useRef<HTMLDivElement>(null);
  const starts = encoding.rows;
  const chosen = column.chosenIndex.value;
  const last = encoding.ids.length - 1;
  const marks = marksOf(column);
  const chipId = (index: number) => `${column.elementId}-token-${index}`;
  const chipsInLine = Math.max(1, (scroller.current?.clientWidth ?? 600) / CHIP_WIDTH);
  const rows = useVirtualRows({
    scroller,
    count: starts.length - 1,
    pinned: rowOf(starts, chosen),
    estimateHeight: (row) => {
      const chips = (starts[row + 1] ?? 0) - (starts[row] ?? 0);
      return Math.ceil(chips / chipsInLine) * LINE_HEIGHT[view.value];
    },
  });
  // Rows have other heights in another view.
  useEffect(() => rows.measure(), [rows, view.value]);
  useReveal(column, scroller, chipId, (index) =>
    rows.scrollToIndex(rowOf(starts, index), { align: "auto" }),
  );

  return (
    <div
      ref={scroller}
      class="tokens"
      role="listbox"
      tabIndex={0}
      aria-label={`Tokens of ${column.model.source.name}`}
      aria-orientation="horizontal"
      aria-activedescendant={chipId(chosen)}
      data-view={view.value}
      onKeyDown={(event) => {
        const index = placeAfterKey(event.key, chosen, last);
        if (index === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        chooseToken(column, index);
      }}
      onClick={(event) => {
        const index = indexOf(event.target);
        if (index === undefined) return;
        chooseToken(column, index);
        event.currentTarget.focus({ preventScroll: true });
      }}
      onPointerOver={(event) => {
        column.hoveredIndex.value = indexOf(event.target);
      }}
      onPointerLeave={() => {
        column.hoveredIndex.value = undefined;
      }}
    >
      <div class="token-rows" role="presentation" style={{ height: `${rows.getTotalSize()}px` }}>
        {rows.getVirtualItems().map(({ index: row, start }) => (
          <div
            key={row}
            ref={rows.measureElement}
            class="token-row"
            role="presentation"
            data-index={row}
            style={{ transform: `translateY(${start}px)` }}
          >
            {range(starts[row] ?? 0, starts[row + 1] ?? 0).map((index) => (
              <TokenChip
                key={index}
                id={chipId(index)}
                encoding={encoding}
                index={index}
                view={view.value}
                isChosen={index === chosen}
                isDifferent={marks?.[index] === 1}
                isBeyond={index >= limit.value}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Scrolls the list, and nothing around it, to a token that becomes the chosen one. */
function useReveal(
  column: Column,
  scroller: { readonly current: HTMLElement | null },
  chipId: (index: number) => string,
  scrollToRowOf: (index: number) => void,
): void {
  const chosen = column.chosenIndex.value;
  const revealed = useRef(chosen);
  useLayoutEffect(() => {
    const list = scroller.current;
    if (list === null || revealed.current === chosen) return;
    revealed.current = chosen;
    const chip = () => document.getElementById(chipId(chosen));
    if (!reveal(list, chip())) scrollToRowOf(chosen);
    // The row that was scrolled to is there after the next rendering.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => reveal(list, chip())));
    return () => cancelAnimationFrame(frame);
  });
}

/** False where it is too far away for its place to be known. */
function reveal(list: HTMLElement, chip: HTMLElement | null): boolean {
  if (chip === null) return false;
  const [outer, inner] = [list.getBoundingClientRect(), chip.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 4;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 4;
  return true;
}

function placeAfterKey(key: string, chosen: number, last: number): number | undefined {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return Math.min(chosen + 1, last);
    case "ArrowLeft":
    case "ArrowUp":
      return Math.max(chosen - 1, 0);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

function range(begin: number, end: number): number[] {
  return Array.from({ length: end - begin }, (_, i) => begin + i);
}

function indexOf(target: EventTarget | null): number | undefined {
  if (!(target instanceof Element)) return undefined;
  const index = target.closest(".chip")?.getAttribute("data-index") ?? undefined;
  return index === undefined ? undefined : Number(index);
}
