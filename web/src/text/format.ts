// Numbers as a reader sees them, the same in every locale: the page is English.

const wholeNumber = new Intl.NumberFormat("en");

/** Such as 262,144. */
export function formatCount(count: number): string {
  return wholeNumber.format(count);
}

/** "1 token", "2 tokens"; `unit` is the singular. */
export function formatAmount(count: number, unit: string): string {
  return `${formatCount(count)} ${count === 1 ? unit : `${unit}s`}`;
}

/** A clock in a browser is no finer than a tenth of a millisecond. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 0.1) return "under 0.1 ms";
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : formatCount(Math.round(milliseconds))} ms`;
}

/** Such as 219 KB; K is 1,000. */
export function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} KB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Bytes as two hexadecimal digits each. */
export function formatBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
}

/** With four decimals, or as many as are told; with none where the number is whole. */
export function formatScore(score: number, decimals = 4): string {
  return (Number.isInteger(score) ? String(score) : score.toFixed(decimals)).replace("-", "−");
}

/** Such as 3.21; a dash where there is nothing to divide by. */
export function formatRatio(of: number, by: number): string {
  return by === 0 ? "–" : (of / by).toFixed(2);
}
