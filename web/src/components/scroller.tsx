import type { ComponentChildren } from "preact";

interface ScrollerProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What may be wider than the page, to be scrolled by pointer and by keys. */
export function Scroller({ label, children }: ScrollerProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
    <section class="scrolls" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
