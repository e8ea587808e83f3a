/** One sentence for all that is counted: nine words of English. */
export const SENTENCE = "Tokenization is the first step of every language model.";

/** “Bengali language”, in Bengali. */
export const BENGALI = "বাংলা ভাষা";
