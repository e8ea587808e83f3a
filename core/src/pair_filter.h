// Which characters, as the words of their bytes, are neighbours in a piece: a
// bit for the hash of each pair. A bit can stand for several pairs, so it tells
// surely what is not joined.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sentencepiece::lite {

class PairFilter {
 public:
  PairFilter() = default;
  // `words` are a power of two.
  PairFilter(const uint64_t* words, size_t count)
      : words_(words), shift_(64 - 6 - std::countr_zero(count)) {}

  // All pairs may join.
  bool empty() const { return words_ == &kAll; }

  bool MayJoin(uint32_t left, uint32_t right) const {
    const uint64_t bit = Hash(left, right) >> shift_;
    return ((words_[bit / 64] >> (bit % 64)) & 1) != 0;
  }

  // The number of the bit of a pair, in a filter of `count` words.
  static size_t BitOf(uint32_t left, uint32_t right, size_t count) {
    return static_cast<size_t>(Hash(left, right) >> (64 - 6 - std::countr_zero(count)));
  }

 private:
  // Multiplied, the high bits depend on all of both.
  static uint64_t Hash(uint32_t left, uint32_t right) {
    return (uint64_t{left} << 32 | right) * 0x9E3779B97F4A7C15u;
  }

  static constexpr uint64_t kAll = ~uint64_t{0};
  const uint64_t* words_ = &kAll;
  int shift_ = 64 - 6;
};

}  // namespace sentencepiece::lite
