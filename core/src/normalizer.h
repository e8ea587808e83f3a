// Step 1: text as the model was trained on it.

#ifndef SPMLITE_CORE_NORMALIZER_H_
#define SPMLITE_CORE_NORMALIZER_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "double_array.h"
#include "sentencepiece_lite.h"
#include "sentencepiece_lite_generated.h"
#include "utf8.h"

namespace sentencepiece::lite {

// Const members may be called from any thread.
class Normalizer {
 public:
  // `spec` may be null (the defaults of sentencepiece_model.proto); pieces of
  // `user_defined`, which may be empty, pass unchanged. Both must stay. `field`
  // names the spec in `message` where its charsmap is not sound.
  StatusCode Load(const NormalizerSpec* spec, const DoubleArray& user_defined,
                  std::string_view field, std::string* message);

  bool add_dummy_prefix() const { return add_dummy_prefix_; }
  bool remove_extra_whitespaces() const { return remove_extra_whitespaces_; }

  // Whether Normalize would return `input` as it is.
  bool LeavesUnchanged(std::string_view input) const;

  // Replaces `output`; with `offsets`, also those of
  // SentencePieceLiteProcessor::Normalize. False, and both are empty, where the
  // charsmap would make of `input` more than kMaxSize bytes.
  bool Normalize(std::string_view input, std::string* output, std::vector<size_t>* offsets) const;

  // Positions are 32 bits wide, and so are the lengths of the published API.
  static constexpr size_t kMaxSize = std::numeric_limits<int32_t>::max() - 1;

 private:
  // What the front of a text becomes: `consumed` bytes of it turn into `text`.
  struct Prefix {
    std::string_view text;
    size_t consumed;
  };
  class Output;

  StatusCode LoadCharsmap(std::string_view charsmap, std::string_view field, std::string* message);
  void FindPassingAscii();
  Prefix NormalizePrefix(std::string_view input) const;
  bool Passes(char c) const { return IsAscii(c) && passes_[static_cast<unsigned char>(c)]; }
  size_t PassingLength(std::string_view input) const;
  bool LeadsPlainSpace(std::string_view input) const;
  bool NormalizeBody(std::string_view input, Output* output) const;

  DoubleArray charsmap_;
  std::string_view replacements_;  // each ended by a NUL
  const DoubleArray* user_defined_ = nullptr;
  // ASCII characters that stand for themselves (a space: for itself alone) when
  // another ASCII character or nothing follows.
  std::bitset<128> passes_;
  bool add_dummy_prefix_ = true;
  bool remove_extra_whitespaces_ = true;
  bool escape_whitespaces_ = true;
  bool treat_whitespace_as_suffix_ = false;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_NORMALIZER_H_
