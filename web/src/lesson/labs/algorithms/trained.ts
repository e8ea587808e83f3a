// Four tokenizers trained on one corpus, in one shape: steps of learning, and an encoder after any
// number of them.

import { encodeBpe, trainBpe } from "../../../trainers/bpe.ts";
import { alphabetOf, spellWords, type Word } from "../../../trainers/corpus.ts";
import {
  SPACE_MARK,
  withContinuations,
  withEndMark,
  withSpaceMark,
} from "../../../trainers/spelling.ts";
import { encodeUnigram, trainUnigram, type UnigramModel } from "../../../trainers/unigram.ts";
import { encodeWordPiece, trainWordPiece } from "../../../trainers/wordpiece.ts";

const MINUS = "\u2212";

/** A piece that was learned, and the reason in a word. */
export interface LearnedPiece {
  readonly piece: string;
  /** Such as `l + o`; empty where it was not joined from two. */
  readonly from: string;
  /** Such as `7 times`. */
  readonly why: string;
}

export interface Trained {
  /** The symbols that are there before anything is learned. */
  readonly alphabet: readonly string[];
  /** How many pieces it can learn at most from this corpus. */
  readonly most: number;
  /** What it has learned when it is to learn `count` pieces. */
  readonly learned: (count: number) => readonly LearnedPiece[];
  /** A word in pieces, with `count` pieces learned. */
  readonly encode: (word: string, count: number) => readonly string[];
}

export function trainedBpe(words: readonly Word[]): Trained {
  return mergingBpe(words, withEndMark);
}

/** SentencePiece's BPE: the same merges, but a word begins with its space and has no end mark. */
export function trainedSentencePieceBpe(words: readonly Word[]): Trained {
  return mergingBpe(words, withSpaceMark);
}

function mergingBpe(words: readonly Word[], spell: (word: string) => string[]): Trained {
  const spelled = spellWords(words, spell);
  const merges = trainBpe(spelled);
  return {
    alphabet: alphabetOf(spelled),
    most: merges.length,
    learned: (count) =>
      merges.slice(0, count).map(({ left, right, piece, count: times }) => ({
        piece,
        from: `${left} + ${right}`,
        why: `${times} times`,
      })),
    encode: (word, count) => encodeBpe(spell(word), merges.slice(0, count)),
  };
}

export function trainedWordPiece(words: readonly Word[]): Trained {
  const spelled = spellWords(words, withContinuations);
  const alphabet = alphabetOf(spelled);
  const merges = trainWordPiece(spelled);
  const pieces = merges.map(({ piece }) => piece);
  return {
    alphabet,
    most: merges.length,
    learned: (count) =>
      merges.slice(0, count).map(({ left, right, piece, score }) => ({
        piece,
        from: `${left} + ${right}`,
        why: `score ${formatScore(score)}`,
      })),
    encode: (word, count) =>
      encodeWordPiece(word, new Set([...alphabet, ...pieces.slice(0, count)])),
  };
}

export function trainedUnigram(words: readonly Word[]): Trained {
  const marked = words.map(({ text, count }) => ({ text: SPACE_MARK + text, count }));
  const models = trainUnigram(marked);
  const modelOf = (count: number): UnigramModel =>
    models[Math.min(count, models.length - 1)] ?? new Map();
  return {
    alphabet: [...modelOf(0).keys()],
    most: models.length - 1,
    learned: (count) =>
      Array.from(modelOf(count))
        .filter(([piece]) => Array.from(piece).length > 1)
        .sort(([, a], [, b]) => b - a)
        .map(([piece, score]) => ({
          piece,
          from: "",
          why: `score ${score.toFixed(2).replace("-", MINUS)}`,
        })),
    encode: (word, count) => encodeUnigram(SPACE_MARK + word, modelOf(count)),
  };
}

/** At most four decimals, as textbooks write it: .1429, .5. */
export function formatScore(score: number): string {
  return String(Number(score.toFixed(4)));
}
