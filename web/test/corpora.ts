import { FOUR_WORDS as TEXT } from "../src/lesson/four-words.ts";
import { countWords, type Word } from "../src/trainers/corpus.ts";

export const FOUR_WORDS: readonly Word[] = countWords(TEXT);
