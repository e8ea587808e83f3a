import assert from "node:assert/strict";
import { test } from "node:test";
import { alphabetOf, spellWords } from "../src/trainers/corpus.ts";
import { withContinuations } from "../src/trainers/spelling.ts";
import { encodeWordPiece, trainWordPiece } from "../src/trainers/wordpiece.ts";
import { FOUR_WORDS } from "./corpora.ts";

const words = spellWords(FOUR_WORDS, withContinuations);
const merges = trainWordPiece(words);
const vocabulary = new Set([...alphabetOf(words), ...merges.map(({ piece }) => piece)]);

test("the four words give thirteen merges by score", () => {
  assert.deepEqual(
    merges.map(({ piece, score }) => `${piece} ${Number(score.toFixed(4))}`),
    [
      ...["wi 0.5", "wid 0.5", "##st 0.2", "lo 0.1429", "low 0.1", "##er 0.1", "lower 0.1429"],
      ...["ne 0.125", "new 0.3333", "newe 0.2", "wide 0.5", "newest 0.2", "widest 0.5"],
    ],
  );
});

test("a word is encoded by its longest pieces", () => {
  assert.deepEqual(encodeWordPiece("lowest", vocabulary), ["low", "##e", "##st"]);
  assert.deepEqual(encodeWordPiece("newest", vocabulary), ["newest"]);
});

test("one character without a piece makes the whole word unknown", () => {
  assert.deepEqual(encodeWordPiece("lowly", vocabulary), ["[UNK]"]);
  assert.deepEqual(encodeWordPiece("", vocabulary), []);
});

test("pieces without marks can be looked up the same way", () => {
  const pieces = new Set(["play", "ing", "football", "er", "use", "State"]);
  const encode = (word: string) => encodeWordPiece(word, pieces, "");
  assert.deepEqual(encode("playing"), ["play", "ing"]);
  assert.deepEqual(encode("footballer"), ["football", "er"]);
  assert.deepEqual(encode("useState"), ["use", "State"]);
});
