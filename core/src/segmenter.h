// Step 2: safe cuts. Between two characters that are neighbours in no piece, no
// piece can reach across, so what lies left and right can be encoded apart.

#pragma once

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
    // No piece joins a NUL to another character.
    for (uint32_t left = 0; left < kAscii; ++left) {
      for (uint32_t right = 0; right < kAscii; ++right) {
        const bool is_cut = left == 0 || right == 0 || !AreJoined(left, right);
        cuts_[left][right / 64] |= uint64_t{is_cut} << (right % 64);
      }
    }
  }

  // The length of the first chunk of a text that is not empty: up to a cut, not always the
  // first, since cutting less is always safe. At least 17 NULs follow the text.
  [[gnu::always_inline]] size_t ChunkLength(std::string_view text) const {
    // Most chunks are a character, or a character and letters, of ASCII all.
    const size_t letters = LeadingLetters(text.data() + 1);
    const char last = text.data()[letters];
    const char next = text.data()[letters + 1];
    const bool is_cut = IsAscii(static_cast<char>(text[0] | next)) && IsCut(last, next);
    return is_cut ? letters + 1 : ShortestChunkLength(text);
  }

  // The same, up to the first cut.
  [[gnu::noinline]] size_t ShortestChunkLength(std::string_view text) const {
    if (model_ == nullptr) return text.size();
    const char* const start = text.data();
    size_t last = 0;  // where the last character before `end` begins
    size_t end = CharacterLength(text);
    while (end < text.size()) {
      size_t length = 1;
      if (IsAscii(start[last]) && IsAscii(start[end])) {
        if (IsCut(start[last], start[end])) return end;
      } else {
        length = CharacterLength(text.substr(end));
        const uint32_t left = CharacterWord(start + last, end - last);
        if (!AreJoined(left, CharacterWord(start + end, length))) return end;
      }
      last = end;
      end += length;
    }
    return text.size();
  }

 private:
  static constexpr size_t kAscii = 128;

  // Of ASCII, by the table.
  bool IsCut(char left, char right) const {
    return (cuts_[left & 0x7F][right >> 6 & 1] >> (right & 63) & 1) != 0;
  }
  bool AreJoined(uint32_t left, uint32_t right) const {
    if (spaces_ == Spaces::kMark) {
      if (left == ' ') left = kSpaceMarkWord;
      if (right == ' ') right = kSpaceMarkWord;
    }
    if (!filter_.empty()) return filter_.MayJoin(left, right);
    const uint64_t pair = uint64_t{left} | uint64_t{right} << SizeOf(left) * 8;
    const std::string_view bytes(reinterpret_cast<const char*>(&pair), SizeOf(pair));
    return model_->pair_trie().Find(bytes) != DoubleArray::kNoValue;
  }
  // In bytes, of one or two characters as a word.
  static size_t SizeOf(uint64_t word) { return (std::bit_width(word) + 7) / 8; }

  const Model* model_ = nullptr;
  PairFilter filter_;
  Spaces spaces_ = Spaces::kLiteral;
  std::array<std::array<uint64_t, kAscii / 64>, kAscii> cuts_{};
};

}  // namespace sentencepiece::lite
