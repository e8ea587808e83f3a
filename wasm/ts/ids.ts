// Ids as callers give them.

import { SpmliteError } from "./errors.js";

/** A list of ids. */
export type Ids = ArrayLike<number> | Iterable<number>;

/** A list of ids of any kind, as 32-bit integers. */
export function toIds(values: Ids): Int32Array {
  if (values instanceof Int32Array) return values;
  if (typeof values === "object" && values !== null)
    return Int32Array.from(Array.from(values, toId));
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `a list of ids is needed, not ${typeof values}`,
  );
}

/** The value, once it is an integer that 32 bits hold; the module looks at its range. */
export function toId(value: number, position?: number): number {
  if (typeof value === "number" && (value | 0) === value) return value;
  const where = position === undefined ? "" : ` at position ${position}`;
  if (Number.isInteger(value)) {
    throw new SpmliteError(
      "OUT_OF_RANGE",
      `id ${value}${where} is out of range`,
    );
  }
  throw new SpmliteError(
    "INVALID_ARGUMENT",
    `${String(value)}${where} is not an id: an integer is needed`,
  );
}
