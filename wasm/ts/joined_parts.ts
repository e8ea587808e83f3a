// What is encoded in parts, put together.

import { isControl, type Part } from "./control_pieces.js";
import type { OffsetUnit, Runtime, Tokens } from "./runtime.js";

/** The ids of the parts of a text. */
export function joinIds(parts: readonly Part[], runtime: Runtime): Int32Array {
  return joined(
    parts.map((part) =>
      isControl(part) ? Int32Array.of(part.id) : runtime.encode(part.text),
    ),
  );
}

/** The tokens of the parts of a text, with offsets in the whole. */
export function joinTokens(
  parts: readonly Part[],
  unit: OffsetUnit,
  runtime: Runtime,
): Tokens {
  const tokens = parts.map((part) =>
    isControl(part)
      ? ofControl(part.id, part.text, unit)
      : runtime.encodeWithOffsets(part.text, unit),
  );
  const inWhole = (which: Offsets, of: OffsetUnit) =>
    joined(movedOn(parts, tokens, which, of));
  return {
    ids: joined(tokens.map(({ ids }) => ids)),
    pieces: tokens.flatMap(({ pieces }) => pieces),
    offsets: inWhole("offsets", unit),
    utf16Offsets: inWhole("utf16Offsets", "utf16"),
    byteOffsets: inWhole("byteOffsets", "bytes"),
  };
}

type Offsets = "offsets" | "utf16Offsets" | "byteOffsets";

function movedOn(
  parts: readonly Part[],
  tokens: readonly Tokens[],
  which: Offsets,
  unit: OffsetUnit,
): Int32Array[] {
  let begin = 0;
  return parts.map(({ text }, i) => {
    const moved = tokens[i]?.[which].map((offset) => begin + offset);
    begin += lengthIn(unit, text);
    return moved ?? new Int32Array();
  });
}

function ofControl(id: number, piece: string, unit: OffsetUnit): Tokens {
  const whole = (of: OffsetUnit) => Int32Array.of(0, lengthIn(of, piece));
  return {
    ids: Int32Array.of(id),
    pieces: [piece],
    offsets: whole(unit),
    utf16Offsets: whole("utf16"),
    byteOffsets: whole("bytes"),
  };
}

function lengthIn(unit: OffsetUnit, text: string): number {
  if (unit === "utf16") return text.length;
  if (unit === "bytes") return new TextEncoder().encode(text).length;
  let length = 0;
  for (const _ of text) ++length;
  return length;
}

function joined(lists: readonly Int32Array[]): Int32Array {
  const size = lists.reduce((sum, list) => sum + list.length, 0);
  const whole = new Int32Array(size);
  let at = 0;
  for (const list of lists) {
    whole.set(list, at);
    at += list.length;
  }
  return whole;
}
