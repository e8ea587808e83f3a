// Step 2: safe cuts. Between two characters that are neighbours in no piece, no
// piece can reach across, so what lies left and right can be encoded apart.

#ifndef SPMLITE_CORE_SEGMENTER_H_
#define SPMLITE_CORE_SEGMENTER_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model.h"
#include "simd.h"
#include "utf8.h"

namespace sentencepiece::lite {

// Const members may be called from any thread.
class Segmenter {
 public:
  // For texts with such spaces. Without pairs in the model a text is one chunk.
  void Load(const Model& model, Spaces spaces) {
    filter_ = spaces == Spaces::kMark ? model.pair_filter() : PairFilter();
    if (filter_.empty() && model.pair_trie().empty()) return;
    model_ = &model;
    spaces_ = spaces;
    for (size_t left = 0; left < kAscii; ++left) {
      for (size_t right = 0; right < kAscii; ++right) {
        const char characters[] = {static_cast<char>(left), static_cast<char>(right)};
        const uint64_t joined = AreJoined({characters, 1}, {characters + 1, 1});
        joined_[left][right / 64] |= joined << (right % 64);
      }
    }
  }

  // The length of the first chunk of a text that is not empty: up to a cut, not
  // always the first.
  size_t ChunkLength(std::string_view text) const {
    // Most chunks are a space and letters, or letters: found in one look. Cutting
    // less is always safe, so letters need not be looked at in pairs.
    constexpr size_t kLook = 16;
    if (text.size() > kLook && model_ != nullptr && IsAscii(text[0])) {
      const size_t letters = static_cast<size_t>(std::countr_one(LetterMask(text.data() + 1)));
      const size_t end = 1 + letters;
      if (letters < kLook && IsAscii(text[end]) && !AreJoined(text[letters], text[end]) &&
          (letters == 0 || AreJoined(text[0], text[1]))) {
        return end;
      }
    }
    return ShortestChunkLength(text);
  }

  // The same, up to the first cut.
  size_t ShortestChunkLength(std::string_view text) const {
    if (model_ == nullptr) return text.size();
    size_t last = 0;  // where the last character before `end` begins
    size_t end = CharacterLength(text);
    while (end < text.size()) {
      size_t length = 1;
      if (IsAscii(text[last]) && IsAscii(text[end])) {
        if (!AreJoined(text[last], text[end])) return end;
      } else {
        length = CharacterLength(text.substr(end));
        if (!AreJoined(text.substr(last, end - last), text.substr(end, length))) return end;
      }
      last = end;
      end += length;
    }
    return end;
  }

 private:
  static constexpr size_t kAscii = 128;

  bool AreJoined(char left, char right) const {
    return ((joined_[static_cast<size_t>(left)][static_cast<size_t>(right) / 64] >>
             (static_cast<size_t>(right) % 64)) &
            1) != 0;
  }
  bool AreJoined(std::string_view left, std::string_view right) const {
    left = Spelled(left);
    right = Spelled(right);
    if (!filter_.empty()) return filter_.MayJoin(left, right);
    const DoubleArray& pairs = model_->pair_trie();
    const uint32_t node = pairs.Walk(DoubleArray::kRoot, left);
    return pairs.Value(pairs.Walk(node, right)) != DoubleArray::kNoValue;
  }
  std::string_view Spelled(std::string_view character) const {
    return spaces_ == Spaces::kMark && character == " " ? kSpaceMark : character;
  }

  const Model* model_ = nullptr;
  PairFilter filter_;
  Spaces spaces_ = Spaces::kLiteral;
  std::array<std::array<uint64_t, kAscii / 64>, kAscii> joined_{};
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_SEGMENTER_H_
