// Reads the tokenizer.json of Hugging Face's tokenizers, where it was made from a
// SentencePiece model: a BPE or a Unigram model whose normalizer and pre_tokenizer do
// what SentencePiece does. What differs is how it is said:
//
// - SentencePiece joins any two neighbours whose concatenation is a piece, the best score
//   first; the file lists the pairs, the best first. A piece's score is made from the
//   place of its pairs.
// - SentencePiece's user-defined and control pieces are the file's added tokens.
// - SentencePiece writes spaces as "▁", may put one in front and may drop extra ones; the
//   file spells such steps out.
//
// A tokenizer that does anything else is refused: its ids would not come out.

#ifndef SPMLITE_CORE_TOKENIZER_JSON_H_
#define SPMLITE_CORE_TOKENIZER_JSON_H_

#include <string>
#include <string_view>
#include <vector>

#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

struct TokenizerJsonModel {
  std::string model;  // the bytes of a `.model`
  // What of the tokenizer the model does not have, a sentence each: added tokens beyond
  // the vocabulary, spaces that such a token takes along.
  std::vector<std::string> notes;
};

// Converts the content of a tokenizer.json. An error names the field at fault. Takes
// about three times the size of the file in memory.
StatusOr<TokenizerJsonModel> TokenizerJsonToModel(std::string_view tokenizer_json);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TOKENIZER_JSON_H_
