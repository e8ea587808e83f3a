import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeBpe, mergeWords, replayMerges, trainBpe } from "../src/trainers/bpe.ts";
import { alphabetOf, countSymbols, countWords, spellWords } from "../src/trainers/corpus.ts";
import { asBytes, asCharacters, withEndMark } from "../src/trainers/spelling.ts";
import { FOUR_WORDS } from "./corpora.ts";

const words = spellWords(FOUR_WORDS, withEndMark);
const merges = trainBpe(words);

test("words are counted in the order in which they are met", () => {
  assert.deepEqual(
    FOUR_WORDS.map(({ text, count }) => `${text} ${count}`),
    ["low 5", "lower 2", "newest 3", "widest 2"],
  );
});

test("the four words give fifteen merges, and the pair met first wins a tie", () => {
  assert.deepEqual(
    merges.map(({ left, right, count }) => `${left}+${right} ${count}`),
    [
      ...["l+o 7", "lo+w 7", "low+</w> 5", "e+s 5", "es+t 5", "est+</w> 5", "n+e 3", "ne+w 3"],
      ...["new+est</w> 3", "low+e 2", "lowe+r 2", "lower+</w> 2", "w+i 2", "wi+d 2"],
      "wid+est</w> 2",
    ],
  );
});

test("eleven symbols and fifteen merges make a vocabulary of 26", () => {
  const alphabet = alphabetOf(words);
  assert.equal(alphabet.length, 11);
  assert.equal(new Set([...alphabet, ...merges.map(({ piece }) => piece)]).size, 26);
});

test("each merge shortens the corpus", () => {
  const tokens = Array.from({ length: merges.length + 1 }, (_, n) =>
    countSymbols(mergeWords(words, merges.slice(0, n))),
  );
  assert.deepEqual(tokens, [67, 60, 53, 48, 43, 38, 33, 30, 27, 24, 22, 20, 18, 16, 14, 12]);
});

test("lowest was never seen: five of the first six merges spell it in two pieces", () => {
  const steps = replayMerges(withEndMark("lowest"), merges);
  const applied = steps.flatMap((step, i) => (step.applied ? [i + 1] : []));
  assert.deepEqual(applied, [1, 2, 4, 5, 6]);
  assert.deepEqual(steps.at(-1)?.symbols, ["low", "est</w>"]);
  assert.deepEqual(encodeBpe(withEndMark("lowest"), merges), ["low", "est</w>"]);
});

test("four merges without an end mark, by hand", () => {
  const four = [
    ["l", "o"],
    ["lo", "w"],
    ["e", "s"],
    ["es", "t"],
  ].map(([left = "", right = ""]) => ({ left, right, piece: left + right, count: 1 }));
  const encode = (word: string, n = 4) => encodeBpe(asCharacters(word), four.slice(0, n));
  assert.deepEqual(
    [0, 1, 2].map((n) => encode("low", n).length),
    [3, 2, 1],
  );
  assert.deepEqual(encode("lowest"), ["low", "est"]);
  assert.deepEqual(encode("lower"), ["low", "e", "r"]);
  assert.deepEqual(encode("lovely"), ["lo", "v", "e", "l", "y"]);
});

test("bytes are symbols like any other", () => {
  const learned = trainBpe(spellWords(countWords("cat cat 👋 👋"), asBytes));
  assert.deepEqual(asBytes("cat"), ["63", "61", "74"]);
  assert.deepEqual(encodeBpe(asBytes("cat"), learned.slice(0, 1)), ["6361", "74"]);
  assert.deepEqual(encodeBpe(asBytes("cat"), learned.slice(0, 2)), ["636174"]);
  assert.deepEqual(encodeBpe(asBytes("👋"), []), ["F0", "9F", "91", "8B"]);
  assert.deepEqual(encodeBpe(asBytes("👋"), learned), ["F09F918B"]);
});

test("nothing is learned from nothing, nor from what occurs once", () => {
  assert.deepEqual(trainBpe([]), []);
  assert.deepEqual(trainBpe(spellWords(countWords("once"), withEndMark)), []);
});

test("a run of one letter is joined from the left", () => {
  const learned = trainBpe(spellWords(countWords("aaaaa"), asCharacters));
  assert.deepEqual(encodeBpe(asCharacters("aaaaa"), learned.slice(0, 1)), ["aa", "aa", "a"]);
});
