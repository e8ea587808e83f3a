// Sixteen bytes at a time: by SSE2, whose mask of bytes brought 8% on English, or by the
// compiler's own vectors, which become NEON or WebAssembly's SIMD128. Without them (or with
// SPMLITE_NO_SIMD, as in a test) byte by byte. Words are short: AVX2's 32 bytes brought nothing.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sentencepiece::lite {

// How many of the sixteen bytes at `bytes`, from the first on, are one of the `count` values
// from `first` on (beyond 255 comes 0), with the bits of `fold` set.
inline size_t LeadingBytes(const char* bytes, uint8_t first, uint8_t count, uint8_t fold = 0) {
#if defined(__SSE2__) && !defined(SPMLITE_NO_SIMD)
  const auto all = [](int value) { return _mm_set1_epi8(static_cast<char>(value)); };
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const __m128i value = _mm_sub_epi8(_mm_or_si128(text, all(fold)), all(first));
  const __m128i is_one = _mm_cmpeq_epi8(_mm_min_epu8(value, all(count - 1)), value);
  return static_cast<size_t>(std::countr_one(static_cast<uint16_t>(_mm_movemask_epi8(is_one))));
#elif defined(__GNUC__) && !defined(SPMLITE_NO_SIMD)
  using Bytes = uint8_t __attribute__((vector_size(16)));
  Bytes text;
  std::memcpy(&text, bytes, sizeof(text));
  const auto is_other = ((text | fold) - first) >= count;
  uint64_t others[2];
  std::memcpy(others, &is_other, sizeof(others));
  const int leading = std::countr_zero(others[0]);
  const int bits = leading < 64 ? leading : 64 + std::countr_zero(others[1]);
  return static_cast<size_t>(bits) / 8;
#else
  for (size_t i = 0; i < 16; ++i) {
    if (static_cast<uint8_t>((static_cast<uint8_t>(bytes[i]) | fold) - first) >= count) return i;
  }
  return 16;
#endif
}

// How many ASCII letters lead the sixteen bytes at `bytes`.
inline size_t LeadingLetters(const char* bytes) { return LeadingBytes(bytes, 'a', 26, 0x20); }

}  // namespace sentencepiece::lite
