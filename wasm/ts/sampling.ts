// How a text is drawn: what callers may say, checked.

import { SpmliteError } from "./errors.js";

/** How a segmentation is drawn, as in the Python package. */
export interface SampleOptions {
  /**
   * A number of 32 bits. The same seed draws the same on every platform, and what this
   * project's Python and C++ draw of the first text after it (the library sentencepiece
   * draws others). Without one, a random one.
   */
  readonly seed?: number;
  /**
   * Of a Unigram model, what to draw from: below 0, all ways to cut the text (which
   * is the default); else the best ones, up to 512 (of 0 and of 1 the best is taken).
   */
  readonly nbestSize?: number;
  /**
   * Of a Unigram model, a way is drawn in proportion to its probability to the power
   * of `alpha`: 0 draws evenly, large ones draw the best. Of a BPE model, each merge
   * is left out with this probability. 0.1 by default.
   */
  readonly alpha?: number;
}

// kMaxNBestSize of core/extra/sentencepiece_extra.h.
const MAX_NBEST_SIZE = 512;
const SEEDS = 2 ** 32;

// The default of the Python package.
const ALPHA = 0.1;

/** The options with their defaults; an error for values that do not mean anything. */
export function checkedSampleOptions(
  options: SampleOptions,
): Required<SampleOptions> {
  const seed = options.seed ?? randomSeed();
  const nbestSize = options.nbestSize ?? -1;
  const alpha = options.alpha ?? ALPHA;
  if (!Number.isInteger(seed) || seed < 0 || seed >= SEEDS)
    throw invalid(
      `the seed must be an integer from 0 to 2^32 - 1, not ${seed}`,
    );
  if (!Number.isInteger(nbestSize) || nbestSize > MAX_NBEST_SIZE)
    throw invalid(
      `nbestSize must be an integer of at most ${MAX_NBEST_SIZE}, not ${nbestSize}`,
    );
  if (!(Number.isFinite(Math.fround(alpha)) && alpha >= 0))
    throw invalid(`alpha must be a number that is not below 0, not ${alpha}`);
  return { seed, nbestSize: Math.max(nbestSize, -1), alpha };
}

/** A size of an n-best list; an error for one that there is not. */
export function checkedNBestSize(size: number): number {
  if (Number.isInteger(size) && size >= 1 && size <= MAX_NBEST_SIZE)
    return size;
  throw invalid(`the size must be from 1 to ${MAX_NBEST_SIZE}, not ${size}`);
}

/** What a module that cannot do it answers. */
export function needsSampling(): SpmliteError {
  return invalid("load the model with { sampling: true } for this call");
}

function invalid(message: string): SpmliteError {
  return new SpmliteError("INVALID_ARGUMENT", message);
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
