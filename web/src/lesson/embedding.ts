// What a vocabulary costs in parameters.

/**
 * The input table has a vector of `dimensions` numbers for each id, the output layer a column as
 * long; where the two are tied, they are the same numbers.
 */
export function countParameters(vocabulary: number, dimensions: number, isTied: boolean): number {
  return vocabulary * dimensions * (isTied ? 1 : 2);
}

export interface NamedVocabulary {
  readonly name: string;
  readonly size: number;
}

/** Three vocabularies to compare: the smallest, one in use, and all of Unicode 17.0. */
export const PLOT_MARKS: readonly [NamedVocabulary, NamedVocabulary, NamedVocabulary] = [
  { name: "bytes", size: 256 },
  { name: "GPT-2", size: 50_257 },
  { name: "Unicode", size: 159_801 },
];
