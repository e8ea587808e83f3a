import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

interface VirtualRowsOptions {
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** A row's height in CSS pixels, until it is measured. */
  readonly estimateHeight: (row: number) => number;
  /** A row that is always there, in sight or not. */
  readonly pinned: number;
}

/**
 * Of many rows those in sight, and how high all are. Each is to be placed at its `start` with the
 * attribute `data-index`, and its element given to `measureElement`.
 */
export function useVirtualRows({ scroller, count, estimateHeight, pinned }: VirtualRowsOptions) {
  const [, render] = useReducer<number, void>((times) => times + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: estimateHeight,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const inSight = defaultRangeExtractor(range);
      if (pinned >= count || inSight.includes(pinned)) return inSight;
      return pinned < (inSight[0] ?? 0) ? [pinned, ...inSight] : [...inSight, pinned];
    },
    overscan: 2,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => render(),
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  return rows;
}
