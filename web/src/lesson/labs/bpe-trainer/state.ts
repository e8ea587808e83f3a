// What the BPE trainer knows: the corpus, how many merges are shown, and what follows from these.

import { batch, computed, effect, signal } from "@preact/signals";
import { mergeWords, replayMerges, trainBpe } from "../../../trainers/bpe.ts";
import {
  alphabetOf,
  countSymbols,
  countWords,
  type SpelledWord,
  spellWords,
} from "../../../trainers/corpus.ts";
import { joinPairInAll } from "../../../trainers/pairs.ts";
import { withEndMark } from "../../../trainers/spelling.ts";
import { FOUR_WORDS } from "../../four-words.ts";
import { parameter, TEXT, WHOLE_NUMBER } from "../../parameters.ts";
import { idsOf } from "../../pieces.ts";

export const LAB = "bpe-trainer";

/** Training counts every pair anew for every merge: so much stays quick. */
export const MOST_CORPUS_CHARACTERS = 1_500;

export const corpus = parameter(LAB, "corpus", FOUR_WORDS, TEXT);
export const merges = parameter(LAB, "merges", 6, WHOLE_NUMBER);
export const probe = parameter(LAB, "probe", "lowest", TEXT);

const words = computed(() => countWords(corpus.value));
const spelled = computed(() => spellWords(words.value, withEndMark));

/** Everything that the corpus has to teach. */
export const learned = computed(() => trainBpe(spelled.value));

/** How many merges are applied. */
export const applied = computed(() => Math.min(merges.value, learned.value.length));

const alphabet = computed(() => alphabetOf(spelled.value));

/** Symbols first, then the pieces in the order of learning: a piece's id never changes. */
export const vocabulary = computed(() => [
  ...alphabet.value,
  ...learned.value.slice(0, applied.value).map(({ piece }) => piece),
]);

export const alphabetSize = computed(() => alphabet.value.length);

export const ids = computed(() =>
  idsOf([...alphabet.value, ...learned.value.map(({ piece }) => piece)]),
);

/** Every word of the corpus with how it is spelled now. */
export const spellings = computed(() =>
  mergeWords(spelled.value, learned.value.slice(0, applied.value)).map(({ symbols, count }, i) => ({
    word: words.value[i]?.text ?? "",
    count,
    symbols,
  })),
);

/** The tokens of the corpus after 0, 1, 2, … merges. */
export const lengths = computed(() => {
  let current: readonly SpelledWord[] = spelled.value;
  const after = learned.value.map((merge) => {
    current = joinPairInAll(current, merge, merge.piece);
    return countSymbols(current);
  });
  return [countSymbols(spelled.value), ...after];
});

/** The probe, merge by merge. */
export const replay = computed(() =>
  replayMerges(withEndMark(probe.value.trim()), learned.value.slice(0, applied.value)),
);

export const isPlaying = signal(false);

/** The merge that is about to happen, while it plays. */
export const isAboutToMerge = signal(false);

const MILLISECONDS_BEFORE = 700;
const MILLISECONDS_AFTER = 500;

/** From here on to the end, or from the start where it stands at the end. */
export function play(): void {
  batch(() => {
    if (applied.value === learned.value.length) merges.value = 0;
    isPlaying.value = learned.value.length > 0;
  });
}

export function pause(): void {
  isPlaying.value = false;
}

// While it plays, the pair that comes next is shown closing up, then as one piece.
effect(() => {
  if (!isPlaying.value) {
    isAboutToMerge.value = false;
    return;
  }
  const next = isAboutToMerge.value ? join : announce;
  const wait = setTimeout(next, isAboutToMerge.value ? MILLISECONDS_BEFORE : MILLISECONDS_AFTER);
  return () => clearTimeout(wait);
});

function announce(): void {
  if (applied.value < learned.value.length) isAboutToMerge.value = true;
  else isPlaying.value = false;
}

function join(): void {
  batch(() => {
    merges.value = applied.value + 1;
    isAboutToMerge.value = false;
  });
}
