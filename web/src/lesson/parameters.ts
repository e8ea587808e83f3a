// What a link carries: `#anchor?lab.name=value&...`, every value that is not what a lab begins with.

import { computed, effect, type Signal, signal } from "@preact/signals";

/** How a value is written in a link. */
export interface Format<Value> {
  readonly write: (value: Value) => string;
  /** What cannot be read gives nothing: a link may have been damaged on its way. */
  readonly read: (written: string) => Value | undefined;
}

export const TEXT: Format<string> = { write: (text) => text, read: (written) => written };

/** From 0 on; whoever uses it minds the upper end, which may depend on other values. */
export const WHOLE_NUMBER: Format<number> = {
  write: String,
  read: (written) => (/^\d{1,9}$/.test(written) ? Number(written) : undefined),
};

export function oneOf<Value extends string>(values: readonly Value[]): Format<Value> {
  return { write: (value) => value, read: (written) => values.find((each) => each === written) };
}

interface Parameter {
  readonly lab: string;
  readonly key: string;
  readonly written: () => string | undefined;
  readonly read: (written: string) => void;
  readonly reset: () => void;
}

const parameters: Parameter[] = [];

/** A value of a lab; `initial` is what it begins with and what a reset gives back. */
export function parameter<Value>(
  lab: string,
  name: string,
  initial: Value,
  format: Format<Value>,
): Signal<Value> {
  const value = signal(initial);
  parameters.push({
    lab,
    key: `${lab}.${name}`,
    written: () => (value.value === initial ? undefined : format.write(value.value)),
    read: (written) => {
      value.value = format.read(written) ?? initial;
    },
    reset: () => {
      value.value = initial;
    },
  });
  return value;
}

export function resetLab(lab: string): void {
  for (const each of parameters) if (each.lab === lab) each.reset();
}

/** The address of a lab with what it shows now, and nothing of the other labs. */
export function linkTo(lab: string): string {
  const own = parameters.filter((each) => each.lab === lab);
  return new URL(fragment(lab, own), location.href).href;
}

function fragment(anchor: string, of: readonly Parameter[]): string {
  const query = new URLSearchParams();
  for (const { key, written } of of) {
    const value = written();
    if (value !== undefined) query.set(key, value);
  }
  return query.size === 0 ? `#${anchor}` : `#${anchor}?${query}`;
}

/** Where in the page the address points. */
const anchor = signal("");

const wholeFragment = computed(() => fragment(anchor.value, parameters));

/** Takes over what the address says, now and whenever it changes, and keeps it up to date. */
export function followAddress(): void {
  readAddress();
  window.addEventListener("hashchange", () => {
    readAddress();
    showAnchor();
  });
  let waiting: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const next = wholeFragment.value;
    clearTimeout(waiting);
    waiting = setTimeout(writeAddress, PAUSE_MILLISECONDS, next);
  });
}

/** A browser refuses too many changes in a row, such as those of a slider. */
const PAUSE_MILLISECONDS = 200;

function writeAddress(next: string): void {
  const address = next === "#" ? location.pathname + location.search : next;
  if (next !== (location.hash || "#")) history.replaceState(history.state, "", address);
}

function readAddress(): void {
  const [target = "", query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const values = new URLSearchParams(query);
  const named = parameters.filter(({ key }) => values.has(key));
  // A lab that the link names shows just what the link says; the others stay as they are.
  for (const lab of new Set(named.map((each) => each.lab))) resetLab(lab);
  for (const { key, read } of named) read(values.get(key) ?? "");
  anchor.value = target;
}

/** Scrolls to where the address points: a browser finds it only where no values follow. */
export function showAnchor(): void {
  if (anchor.value !== "") document.getElementById(anchor.value)?.scrollIntoView();
}
