// Ids as people write them: with commas, spaces, brackets or lines between them.

/** Throws an `Error` that names the first thing that is no id. */
export function parseIds(list: string): Int32Array {
  const words = list.split(/[\s,;[\]()]+/).filter((word) => word !== "");
  return Int32Array.from(words, parseId);
}

function parseId(word: string): number {
  const id = Number(word);
  if (/^[+-]?\d+$/.test(word) && Number.isInteger(id) && id === (id | 0)) return id;
  throw new Error(`“${word}” is not an id: ids are whole numbers, such as 42`);
}
