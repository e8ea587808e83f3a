#include "base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace sentencepiece::lite {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// By character: its six bits, or kNoDigit.
constexpr uint32_t kNoDigit = 64;
constexpr std::array<uint8_t, 256> kValues = [] {
  std::array<uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<uint8_t>(i);
  }
  return values;
}();

}  // namespace

void AppendBase64(std::string_view bytes, std::string* text) {
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0);
    }
    for (size_t j = 0; j < 4; ++j) {
      text->push_back(j <= group.size() ? kAlphabet[bits >> (18 - 6 * j) & 63] : '=');
    }
  }
}

bool AppendFromBase64(std::string_view text, std::string* bytes) {
  if (text.size() % 4 != 0) return false;
  size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  uint32_t bits = 0;
  uint32_t count = 0;  // of bits that are in no byte yet
  for (const char c : text) {
    const uint32_t value = kValues[static_cast<unsigned char>(c)];
    if (value == kNoDigit) return false;
    bits = bits << 6 | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes->push_back(static_cast<char>(bits >> count));
    bits &= (1u << count) - 1;
  }
  return bits == 0;
}

}  // namespace sentencepiece::lite
