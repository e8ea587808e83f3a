// UTF-8 as the oracle reads it.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sentencepiece::lite {

// U+2581, which stands for a space in pieces and in normalized text.
inline constexpr std::string_view kSpaceMark = "\xe2\x96\x81";
inline constexpr uint32_t kSpaceMarkWord = 0x8196E2;
// U+FFFD, which stands for a byte that is not UTF-8.
inline constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// What a plain space in a text is: itself, or short for the mark.
enum class Spaces { kLiteral, kMark };

inline bool IsAscii(char c) { return static_cast<signed char>(c) >= 0; }

inline bool IsContinuation(char c) {
  return static_cast<signed char>(c) < static_cast<signed char>(0xC0);
}

// The length that a first byte announces; a stray continuation counts as one.
inline size_t CharacterLength(char first) {
  if (IsAscii(first)) return 1;
  return "\1\1\1\1\2\2\3\4"[(static_cast<unsigned char>(first) >> 4) - 8];
}

// The same, not beyond the end of `text`, which must not be empty.
inline size_t CharacterLength(std::string_view text) {
  return std::min(CharacterLength(text[0]), text.size());
}

// The bytes of a character of `length` 1 to 4 as one word; four can be read.
inline uint32_t CharacterWord(const char* character, size_t length) {
  uint32_t word;
  std::memcpy(&word, character, sizeof(word));
  return word & (~uint32_t{0} >> (32 - 8 * length));
}

// The length of the well-formed character at the front of `text` (not empty),
// or 0: surrogates, overlong forms, cut-off tails and values past U+10FFFF have
// none.
inline size_t WellFormedLength(std::string_view text) {
  const auto byte = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
  };
  if (byte(0) < 0x80) return 1;
  const size_t length = CharacterLength(text[0]);
  if (length < 2 || byte(0) >= 0xF8 || text.size() < length) return 0;
  uint32_t code_point = byte(0) & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[i])) return 0;
    code_point = (code_point << 6) | (byte(i) & 0x3F);
  }
  const uint32_t smallest = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool surrogate = (code_point & 0xFFFFF800u) == 0xD800;
  const bool valid = code_point >= smallest && code_point <= 0x10FFFF && !surrogate;
  return valid ? length : 0;
}

inline bool IsWellFormed(std::string_view text) {
  while (!text.empty()) {
    // ASCII goes by eight at a time; what most scripts beyond it have, three bytes that are
    // neither overlong nor a surrogate, needs no closer look.
    uint64_t word = 0xFF;
    if (text.size() >= sizeof(word)) std::memcpy(&word, text.data(), sizeof(word));
    const bool is_usual = (word & 0xC0C0F0) == 0x8080E0 && (word & 0x200F) % 0x200D != 0;
    size_t length = sizeof(word);
    if ((word & 0x8080808080808080u) != 0) length = is_usual ? 3 : WellFormedLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace sentencepiece::lite
