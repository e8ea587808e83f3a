import { signal } from "@preact/signals";

/** How cuts of a text are drawn. */
export const drawing = {
  /** The first draw's; each later draw takes the next number. */
  seed: signal(1),
  /** Of Unigram models: a cut is drawn in proportion to its probability to the power of 1 / it. */
  temperature: signal(2),
  /** Of BPE models: how likely each merge is left out. */
  dropout: signal(0.1),
};
