// Texts and vocabularies by chance, the same on every platform for a seed.

#ifndef SPMLITE_CORE_TESTS_RANDOM_TEXT_H_
#define SPMLITE_CORE_TESTS_RANDOM_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tiny_model.h"

namespace sentencepiece::lite {

// A few characters, so that pieces and texts meet often: ASCII, the mark, and
// one of each length of UTF-8.
class RandomText {
 public:
  explicit RandomText(uint64_t seed) : state_(seed) {}

  // Below `limit`. The constants are Knuth's (MMIX, The Art of Computer
  // Programming, vol. 2, 3.3.4).
  uint32_t Below(uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state_ >> 33) % limit);
  }

  // Of up to `most` characters, and at least one.
  std::string Text(uint32_t most) {
    std::string text;
    for (uint32_t length = 1 + Below(most); length > 0; --length) {
      text += kCharacters[Below(kCharacterCount)];
    }
    return text;
  }

  // Up to `most` NORMAL pieces of up to five characters, no two the same, with
  // few scores, so that there are ties.
  std::vector<TinyPiece> Pieces(uint32_t most) {
    std::set<std::string> seen;
    std::vector<TinyPiece> pieces;
    for (uint32_t count = 1 + Below(most); count > 0; --count) {
      std::string piece = Text(5);
      if (!seen.insert(piece).second) continue;
      pieces.push_back({piece, -static_cast<float>(Below(12))});
    }
    return pieces;
  }

 private:
  static constexpr uint32_t kCharacterCount = 9;
  static constexpr const char* kCharacters[kCharacterCount] = {
      "a", "b", "c", "a", "b", MARK, "\xc3\xa9", "\xe6\x97\xa5", "\xf0\x9f\xa6\x99"};

  uint64_t state_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TESTS_RANDOM_TEXT_H_
