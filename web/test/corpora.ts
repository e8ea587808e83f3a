import { countWords, type Word } from "../src/trainers/corpus.ts";

/** The four words that explain BPE in most texts on it: 5, 2, 3 and 2 times. */
export const FOUR_WORDS: readonly Word[] = countWords(
  "low low low low low lower lower newest newest newest widest widest",
);
