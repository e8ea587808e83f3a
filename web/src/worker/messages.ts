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
  /** The first token of each row in which they are shown, and the number of tokens at the end. */
  readonly rows: Int32Array;
  /** The pieces among the ids that were not told of before. */
  readonly newPieces: PieceTable;
  /** How long text to ids and offsets took. */
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

/** A symbol of a BPE model, and the two that it was merged from. */
export interface MergeNode {
  readonly text: string;
  /** -1 for a character that is no piece. */
  readonly id: number;
  readonly score: number;
  /** Which merge made it, from 1; 0: there from the beginning. */
  readonly step: number;
  /** Two, or none. */
  readonly parts: readonly MergeNode[];
}

/** How BPE joins a stretch of text. */
export interface MergeHistory {
  readonly kind: "merges";
  /** What is left in the end, in order. */
  readonly roots: readonly MergeNode[];
  /** Every merge, in the order in which they happened. */
  readonly steps: readonly MergeNode[];
}

/** A piece that may cover some characters of a stretch. */
export interface LatticeEdge {
  /** Characters of the stretch that it covers, [begin, end). */
  readonly begin: number;
  readonly end: number;
  readonly text: string;
  /** -1 for a character that is no piece. */
  readonly id: number;
  readonly score: number;
  /** Whether the best path takes it. */
  readonly isBest: boolean;
}

/** All ways in which Unigram may cut a stretch of text. */
export interface Lattice {
  readonly kind: "lattice";
  readonly characters: readonly string[];
  readonly edges: readonly LatticeEdge[];
  /** The sum of the scores on the best path. */
  readonly bestScore: number;
}

/** One way to cut a text. */
export interface Cut {
  readonly ids: readonly number[];
  readonly pieces: readonly string[];
}

export interface ScoredCut extends Cut {
  /** The sum of the scores of its pieces: a log probability. */
  readonly score: number;
}

export interface DrawnCut extends Cut {
  /** How many of the draws gave it. */
  readonly times: number;
}

export interface Draws {
  /** The first draw's seed; each later one takes the next number. */
  readonly seed: number;
  /** As the package's `sample` has it. */
  readonly alpha: number;
  readonly count: number;
}
