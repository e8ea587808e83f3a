/** How many Unicode characters (code points); a lone surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** How many bytes the text takes in UTF-8; a lone surrogate takes three. */
export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Where two texts begin to differ, in UTF-16 units; -1 when they are equal. */
export function firstDifference(a: string, b: string): number {
  if (a === b) return -1;
  const end = Math.min(a.length, b.length);
  let index = 0;
  while (index < end && a[index] === b[index]) index++;
  return index;
}
