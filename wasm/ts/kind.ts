// Which kind of file a model is, told by its content alone.

import { SpmliteError } from "./errors.js";
import type { NamedBytes } from "./source.js";

/**
 * `.spm.fb`, which is read in place; `.model`, which is converted first; tokenizer.json or
 * `.spm`, which are read into a `.model` before.
 */
export type ModelKind = "flatbuffer" | "protobuf" | "json" | "text";

// core/schema/sentencepiece_lite.fbs: file_identifier, at byte 4 of our files.
const IDENTIFIER = "SPML";

/** The kind of a model; an error that says what it is instead where it is none. */
export function kindOf(model: NamedBytes): ModelKind {
  const { bytes } = model;
  if (startsAs(bytes, 4, IDENTIFIER) || isFlatbuffer(bytes)) {
    return "flatbuffer";
  }
  const foreign = foreignKind(bytes);
  if (foreign === undefined) {
    const text = new TextDecoder().decode(bytes.subarray(0, 512));
    if (JSON_TEXT.test(text)) return "json";
    if (isProtobuf(bytes)) return "protobuf";
    if (SPM_TEXT.test(text)) return "text";
  }
  throw new SpmliteError(
    "INVALID_MODEL",
    `${model.name} is ${foreign ?? `neither .spm.fb nor .model nor tokenizer.json nor .spm: ${start(bytes)}`}`,
  );
}

// A FlatBuffer opens with the offset of its root table, which is a multiple of 4;
// https://flatbuffers.dev/internals.
function isFlatbuffer(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return false;
  const root = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return root >= 4 && root % 4 === 0 && root <= bytes.length - 4;
}

// Every field of ModelProto is length-delimited, wire type 2 in the low three bits
// of its tag; https://protobuf.dev/programming-guides/encoding. A tag of that type
// is never a multiple of 4, so that the two kinds cannot be mistaken.
function isProtobuf(bytes: Uint8Array): boolean {
  const tag = bytes[0] ?? 0;
  return (tag & 7) === 2 && tag >> 3 !== 0;
}

// White space may come first. It is part of a `.model` too (10 is the tag of its
// first field), which this pattern and PAGE are long enough to keep apart.
const JSON_TEXT = /^\s*\{\s*"/;

// A `.spm` begins with a comment, or with a piece in base64 and its score.
const SPM_TEXT = /^(#|[A-Za-z0-9+/]+={0,2}[ \t]+(-?\d|-?inf|nan))/;

// What often stands where a model should, by its first bytes.
const STRANGERS: readonly (readonly [string, string])[] = [
  ["version https://git-lfs", "a pointer of Git LFS, not the model itself"],
  ["PK\x03\x04", "a zip archive, not a model: unpack it first"],
  ["\x1f\x8b", "compressed with gzip, not a model: unpack it first"],
  // https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
  [
    "GGUF",
    "a GGUF file, not read here: convert it with Python first (python -m spmlite convert)",
  ],
];

const PAGE = /^\s*<(!--|(!doctype|\?xml|html|head|body)\b)/i;

function foreignKind(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return "empty";
  const text = new TextDecoder().decode(bytes.subarray(0, 200));
  if (PAGE.test(text)) {
    return "an HTML or XML page, not a model: the address may be wrong";
  }
  return STRANGERS.find(([start]) => startsAs(bytes, 0, start))?.[1];
}

function startsAs(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every(
    (character, i) => bytes[at + i] === character.charCodeAt(0),
  );
}

function start(bytes: Uint8Array): string {
  const shown = [...bytes.subarray(0, 8)].map((byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return `it begins with the bytes ${shown.join(" ")}`;
}
