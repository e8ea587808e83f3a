// What the page and its workers say to one another. Large answers are typed arrays, which change
// hands without being copied; the strings of pieces come joined, which is as cheap.

import type { ModelType, PieceType } from "spmlite";

/** What is told of a model once. */
export interface ModelFacts {
  readonly modelType: ModelType;
  readonly vocabSize: number;
  /** The size of its file. */
  readonly byteLength: number;
  /** From the file at hand to the ready tokenizer. */
  readonly loadMilliseconds: number;
}

/** Some pieces of a vocabulary: element `i` of each list belongs to `ids[i]`. */
export interface PieceTable {
  readonly ids: Int32Array;
  /** The pieces, one after the other. */
  readonly joined: string;
  /** Where each piece ends in `joined`, in UTF-16 units. */
  readonly ends: Int32Array;
  readonly scores: Float32Array;
  readonly types: readonly PieceType[];
}

/** A text, encoded. Token `i` spans [2 * i, 2 * i + 1] of both kinds of offsets. */
export interface EncodedText {
  readonly ids: Int32Array;
  /** In UTF-16 units, as `text.slice` counts. */
  readonly offsets: Int32Array;
  /** In bytes of UTF-8. */
  readonly byteOffsets: Int32Array;
  /** The pieces among the ids that were not told of before. */
  readonly newPieces: PieceTable;
  /** How long text to ids took; the offsets come on top. */
  readonly encodeMilliseconds: number;
}

/** Whether the ids of a text decode to it. */
export interface RoundTrip {
  /** The first character (from 1) that comes back differently; 0: all come back. */
  readonly differsAt: number;
  /** A few characters of the text from there. */
  readonly before: string;
  /** What they became. */
  readonly after: string;
}

/** How long a text is. */
export interface TextSize {
  /** What a reader takes for one character. */
  readonly graphemes: number;
  /** Unicode characters (code points). */
  readonly characters: number;
  /** Bytes as UTF-8. */
  readonly bytes: number;
}

/** Ids with spaces between them; all about each token, as JSON or CSV. */
export type ExportFormat = "ids" | "json" | "csv";
