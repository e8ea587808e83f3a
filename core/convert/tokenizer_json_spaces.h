// What the normalizer and the pre_tokenizer of a tokenizer.json do, as what a
// SentencePiece model can do.

#ifndef SPMLITE_CORE_TOKENIZER_JSON_SPACES_H_
#define SPMLITE_CORE_TOKENIZER_JSON_SPACES_H_

#include <string>
#include <string_view>
#include <vector>

#include "charsmap.h"
#include "json.h"

namespace sentencepiece::lite {

// Part of a file for a message: cut short where it is long.
std::string Shown(const Json& value);
std::string QuotedText(std::string_view text);

struct TokenizerSteps {
  bool marks_spaces = false;  // " " becomes "▁"
  bool marks_front = false;   // a "▁" is put in front
  bool removes_spaces = false;
  bool splits_at_marks = false;  // so that no piece can have a "▁" further in
  std::string precompiled_charsmap;
  // Pieces that the pre_tokenizer cuts out of the text, whatever is around them.
  std::vector<std::string> isolated;

  // What is wrong, or nothing.
  std::string Read(const Json& normalizer, const Json& pre_tokenizer);

 private:
  std::string ReadNormalizer(const Json& normalizer);
  std::string ReadReplace(const Json& step);
  std::string ReadStrip(const Json& step);
  std::string ReadPrecompiled(const Json& step);
  std::string ReadPreTokenizer(const Json& pre_tokenizer);
  std::string ReadMetaspace(const Json& step);
  std::string ReadSplit(const Json& step);
  std::string Finish();

  bool joins_spaces_ = false;
  bool strips_ends_ = false;
  bool splits_at_spaces_ = false;
  std::vector<CharsmapRule> rules_;  // in front of the charsmap
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TOKENIZER_JSON_SPACES_H_
