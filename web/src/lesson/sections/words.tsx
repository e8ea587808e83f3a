import { splitWords } from "../../trainers/corpus.ts";
import { UNKNOWN } from "../../trainers/spelling.ts";
import { encodeWordPiece } from "../../trainers/wordpiece.ts";
import { Checkpoint } from "../checkpoints.tsx";
import { WordLevelLab } from "../labs/word-level.tsx";
import { Section, Table } from "../section.tsx";

const WORDS = new Set(splitWords("play football the"));
const SUBWORDS = new Set(splitWords("play football the ing er use State"));

/** Whole words, and what becomes of those that training has not met. */
export function WordsSection() {
  return (
    <Section id="words" title="Word level, and the words it lacks">
      <p>
        The oldest way is the obvious one: cut at white space and number the words. It works as long
        as only known words come. <code>I love football</code> is three ids. But the list is closed
        when training ends, and texts go on inventing: names, slips of the finger, products. Each of
        them is <dfn>out of vocabulary</dfn> (OOV) and gets the one id that is left,{" "}
        <code>{UNKNOWN}</code>. The model is told that there was a word, and not which.
      </p>
      <p>
        Nor do words share anything. To such a tokenizer <em>cat</em> and <em>cats</em> are two
        numbers as unrelated as <em>cat</em> and <em>Tuesday</em>; a word that the corpus held a
        thousand times is no help with its plural.
      </p>
      <WordLevelLab />
      <p>
        Pieces of words mend both. Give a vocabulary of <code>play</code>, <code>football</code> and{" "}
        <code>the</code> four pieces more, <code>ing</code>, <code>er</code>, <code>use</code> and{" "}
        <code>State</code>, and words that it has never met can be spelled:
      </p>
      <Table
        caption="Three new words"
        head={["word", "as whole words", "as subwords"]}
        rows={["playing", "footballer", "useState"].map((word) => [
          word,
          WORDS.has(word) ? word : UNKNOWN,
          encodeWordPiece(word, SUBWORDS, "").join(" + "),
        ])}
      />
      <Checkpoint section="words" />
    </Section>
  );
}
