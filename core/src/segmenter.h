// Step 2: safe cuts. Between two characters that are neighbours in no piece, no
// piece can reach across, so what lies left and right can be encoded apart.

#ifndef SPMLITE_CORE_SEGMENTER_H_
#define SPMLITE_CORE_SEGMENTER_H_

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "double_array.h"
#include "utf8.h"

namespace sentencepiece::lite {

// Const members may be called from any thread.
class Segmenter {
 public:
  // `pairs` maps two neighbouring characters to the node of the second one in
  // that same trie; it must stay. Without pairs a text is one chunk.
  void Load(const DoubleArray& pairs);

  // The length of the first chunk of normalized text that is not empty.
  size_t ChunkLength(std::string_view text) const;

 private:
  static constexpr size_t kCodes = 128;
  static constexpr uint32_t kNoCode = kCodes;

  // ASCII characters and the space mark, which is by far the most frequent
  // other one, have a code: the mark that of NUL, which is in no piece.
  static uint32_t Code(std::string_view text) {
    if (IsAscii(text[0]) && text[0] != '\0') {
      return static_cast<unsigned char>(text[0]);
    }
    return text.starts_with(kSpaceMark) ? 0 : kNoCode;
  }

  const DoubleArray* pairs_ = nullptr;
  std::array<uint32_t, kCodes> nodes_{};  // of the characters that have a code
  std::bitset<kCodes * kCodes> joined_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_SEGMENTER_H_
