// Builds the filter that core/src/pair_filter.h reads.

#ifndef SPMLITE_CORE_PAIR_FILTER_BUILDER_H_
#define SPMLITE_CORE_PAIR_FILTER_BUILDER_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "character_pairs.h"
#include "pair_filter.h"
#include "utf8.h"

namespace sentencepiece::lite {

// The same bytes as CharacterWord of utf8.h has them, of a character in the upper half.
inline uint32_t WordOf(CharacterPair character) {
  const auto bytes = static_cast<uint32_t>(character >> 32);
  return bytes >> 24 | (bytes >> 8 & 0xFF00) | (bytes & 0xFF00) << 8 | bytes << 24;
}

inline size_t BitOfPair(CharacterPair pair, size_t words) {
  const size_t left_bits = 8 * CharacterLength(static_cast<char>(pair >> 56));
  const CharacterPair left = pair & ~(~CharacterPair{0} >> left_bits);
  return PairFilter::BitOf(WordOf(left), WordOf(pair << left_bits), words);
}

// A filter of so many words with the bits of all pairs.
inline std::vector<uint64_t> FillPairFilter(const std::vector<CharacterPair>& pairs, size_t words) {
  std::vector<uint64_t> filter(words);
  for (const CharacterPair pair : pairs) {
    const size_t bit = BitOfPair(pair, words);
    filter[bit / 64] |= uint64_t{1} << (bit % 64);
  }
  return filter;
}

// Of the pairs of those pieces that a text can contain. With sixteen bits a pair or more, one in
// sixteen of the other pairs at most looks joined; 128 KiB are enough for the largest
// vocabularies.
inline std::vector<uint64_t> BuildPairFilter(const std::vector<CharacterPair>& pairs) {
  constexpr size_t kFewestWords = 16;
  constexpr size_t kMostWords = size_t{1} << 14;
  size_t bits = 0;
  for (const uint64_t word : FillPairFilter(pairs, kMostWords)) {
    bits += static_cast<size_t>(std::popcount(word));
  }
  const size_t words = std::clamp(std::bit_ceil(bits / 4), kFewestWords, kMostWords);
  return FillPairFilter(pairs, words);
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_PAIR_FILTER_BUILDER_H_
