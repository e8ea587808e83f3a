// Sixteen bytes at a time, by the compiler's own vectors, which become those of the machine:
// SSE2, NEON, WebAssembly's SIMD128. Without them (or with SPMLITE_NO_SIMD, as in a test)
// in two words of 64 bits. Words are short: AVX2's 32 bytes brought nothing.

#ifndef SPMLITE_CORE_SIMD_H_
#define SPMLITE_CORE_SIMD_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sentencepiece::lite {

// How many ASCII letters lead the sixteen bytes at `bytes`.
inline size_t LeadingLetters(const char* bytes) {
  uint64_t others[2];  // not 0 in each byte that is no letter, from its lowest bit or its highest
#if defined(__GNUC__) && !defined(SPMLITE_NO_SIMD)
  using Bytes = uint8_t __attribute__((vector_size(16)));
  Bytes text;
  std::memcpy(&text, bytes, sizeof(text));
  const auto is_other = ((text | 0x20) - 'a') >= 26;
  std::memcpy(others, &is_other, sizeof(others));
#else
  constexpr uint64_t kOnes = 0x0101010101010101u;
  std::memcpy(others, bytes, sizeof(others));
  for (uint64_t& word : others) {
    const uint64_t lower = (word | kOnes * 0x20) & kOnes * 0x7F;
    const uint64_t from_a = lower + kOnes * (0x80 - 'a');
    const uint64_t after_z = lower + kOnes * (0x80 - 'z' - 1);
    word = (~from_a | after_z | word) & kOnes * 0x80;
  }
#endif
  const int first = std::countr_zero(others[0]);
  const int bits = first < 64 ? first : 64 + std::countr_zero(others[1]);
  return static_cast<size_t>(bits) / 8;
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_SIMD_H_
