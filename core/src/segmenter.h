// Step 2: safe cuts. Between two characters that are neighbours in no piece, no
// piece can reach across, so what lies left and right can be encoded apart.

#pragma once

#include <array>
#include <bit>
#include <bitset>
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
    if (spaces == Spaces::kMark) space_word_ = kSpaceMarkWord;
    // No piece joins a NUL to another character.
    for (uint32_t left = 0; left < kAscii; ++left) {
      for (uint32_t right = 0; right < kAscii; ++right) {
        const bool is_cut = left == 0 || right == 0 || !AreJoined(Spelled(left), Spelled(right));
        cuts_[left].set(right, is_cut);
      }
    }
  }

  // Where the first chunk of the text [data, end), which is not empty, ends: most chunks are
  // a character, or a character and letters, of ASCII all. Null for others. Not every cut is
  // found, since cutting less is always safe. At least 17 NULs follow the text.
  [[gnu::always_inline]] const char* FindEnd(const char* data, const char* end) const {
    // One of control may be joined to no letter.
    const bool is_alone = static_cast<unsigned char>(data[0]) < ' ' && IsCut(data[0], data[1]);
    const char* last = data + (is_alone ? 0 : LeadingLetters(data + 1));
    while (last + 1 != end && AreAscii(data[0], last[1]) && !IsCut(last[0], last[1])) ++last;
    return AreAscii(data[0], last[1]) ? last + 1 : nullptr;
  }

  // The ends of the first chunks, at most `most` of them, none beyond one before two
  // characters of ASCII; how many they are. No branch tells of a cut: between two Chinese
  // characters nothing could foresee it.
  [[gnu::noinline]] size_t FindEnds(const char* data, const char* end, size_t most,
                                    const char** ends) const {
    const auto read = [&] {
      const size_t length = CharacterLength(std::string_view(data, end));
      const uint32_t word = Spelled(CharacterWord(data, length));
      data += length;
      return word;
    };
    uint32_t left = read();
    size_t count = 0;
    while (data != end && count < most) {
      ends[count] = data;
      const bool is_before_ascii = AreAscii(data[0], data[1]);
      const uint32_t right = read();
      const bool is_cut = !AreJoined(left, right);
      count += is_cut;
      if (is_cut && is_before_ascii) return count;
      left = right;
    }
    if (count < most) ends[count++] = end;
    return count;
  }

 private:
  static constexpr size_t kAscii = 128;

  static bool AreAscii(char a, char b) { return IsAscii(static_cast<char>(a | b)); }
  // Of ASCII, by the table.
  bool IsCut(char left, char right) const { return cuts_[left & 0x7F][right & 0x7F]; }
  // A character's word as pieces have it.
  uint32_t Spelled(uint32_t word) const { return word == ' ' ? space_word_ : word; }
  bool AreJoined(uint32_t left, uint32_t right) const {
    if (model_ == nullptr || !filter_.empty()) return filter_.MayJoin(left, right);
    const uint64_t pair = uint64_t{left} | uint64_t{right} << SizeOf(left) * 8;
    const std::string_view bytes(reinterpret_cast<const char*>(&pair), SizeOf(pair));
    return model_->pair_trie().Find(bytes) != DoubleArray::kNoValue;
  }
  // In bytes, of one or two characters as a word.
  static size_t SizeOf(uint64_t word) { return (std::bit_width(word) + 7) / 8; }

  const Model* model_ = nullptr;
  PairFilter filter_;
  uint32_t space_word_ = ' ';
  std::array<std::bitset<kAscii>, kAscii> cuts_;
};

}  // namespace sentencepiece::lite
