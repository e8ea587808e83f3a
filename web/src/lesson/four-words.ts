/** The four words by which BPE is mostly explained: 5, 2, 3 and 2 times. */
export const FOUR_WORDS = "low low low low low lower lower newest newest newest widest widest";
