// Sixteen bytes at a time, on the instruction sets that every machine of a kind
// has: SSE2, NEON, WebAssembly's SIMD128; elsewhere in two words of 64 bits.

#ifndef SPMLITE_CORE_SIMD_H_
#define SPMLITE_CORE_SIMD_H_

#include <cstdint>
#include <cstring>

#if defined(SPMLITE_NO_SIMD)
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace sentencepiece::lite {

// Bit i tells whether byte i of the sixteen at `bytes` is an ASCII letter.
inline uint32_t LetterMask(const char* bytes) {
#if defined(SPMLITE_NO_SIMD)
#elif defined(__SSE2__)
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const __m128i lower = _mm_or_si128(text, _mm_set1_epi8(0x20));
  const __m128i place = _mm_sub_epi8(lower, _mm_set1_epi8('a'));
  const __m128i letters = _mm_cmpeq_epi8(_mm_min_epu8(place, _mm_set1_epi8(25)), place);
  return static_cast<uint32_t>(_mm_movemask_epi8(letters));
#elif defined(__wasm_simd128__)
  const v128_t lower = wasm_v128_or(wasm_v128_load(bytes), wasm_i8x16_splat(0x20));
  const v128_t place = wasm_i8x16_sub(lower, wasm_i8x16_splat('a'));
  return wasm_i8x16_bitmask(wasm_u8x16_lt(place, wasm_u8x16_splat(26)));
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const uint8x16_t text = vld1q_u8(reinterpret_cast<const uint8_t*>(bytes));
  const uint8x16_t place = vsubq_u8(vorrq_u8(text, vdupq_n_u8(0x20)), vdupq_n_u8('a'));
  const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t letters = vandq_u8(vcltq_u8(place, vdupq_n_u8(26)), bits);
  return static_cast<uint32_t>(vaddv_u8(vget_low_u8(letters))) |
         static_cast<uint32_t>(vaddv_u8(vget_high_u8(letters))) << 8;
#endif
  constexpr uint64_t kOnes = 0x0101010101010101u;
  uint32_t mask = 0;
  for (int half = 0; half < 2; ++half) {
    uint64_t word;
    std::memcpy(&word, bytes + 8 * half, sizeof(word));
    const uint64_t lower = (word | kOnes * 0x20) & kOnes * 0x7F;
    const uint64_t from_a = lower + kOnes * (0x80 - 'a');
    const uint64_t after_z = lower + kOnes * (0x80 - 'z' - 1);
    const uint64_t letters = (from_a & ~after_z & ~word & kOnes * 0x80) >> 7;
    // Each byte's lowest bit, moved to the highest byte in order.
    mask |= static_cast<uint32_t>((letters * 0x0102040810204080u) >> 56) << (8 * half);
  }
  return mask;
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_SIMD_H_
