// Builds the filter that core/src/pair_filter.h reads.

#ifndef SPMLITE_CORE_PAIR_FILTER_BUILDER_H_
#define SPMLITE_CORE_PAIR_FILTER_BUILDER_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model_proto.h"
#include "pair_filter.h"
#include "sentencepiece_lite_generated.h"
#include "utf8.h"

namespace sentencepiece::lite {

// Sets the bit of each two neighbouring characters of a piece that a text can
// contain.
inline void FillPairFilter(const SerializedModel& model, std::vector<uint64_t>* filter) {
  std::fill(filter->begin(), filter->end(), 0);
  for (const auto& [piece, score, type] : model.pieces) {
    if (type == PieceType_CONTROL || type == PieceType_UNKNOWN || type == PieceType_BYTE) continue;
    std::string text(piece);
    text.append(sizeof(uint32_t), '\0');  // which CharacterWord reads
    std::string_view rest(text.data(), piece.size());
    size_t left = CharacterLength(rest);
    while (left < rest.size()) {
      const size_t right = CharacterLength(rest.substr(left));
      const size_t bit =
          PairFilter::BitOf(CharacterWord(rest.data(), left),
                            CharacterWord(rest.data() + left, right), filter->size());
      (*filter)[bit / 64] |= uint64_t{1} << (bit % 64);
      rest.remove_prefix(left);
      left = right;
    }
  }
}

// With sixteen bits a pair or more, one in sixteen of the other pairs at most looks
// joined; 128 KiB are enough for the largest vocabularies.
inline std::vector<uint64_t> BuildPairFilter(const SerializedModel& model) {
  constexpr size_t kFewestWords = 16;
  constexpr size_t kMostWords = size_t{1} << 14;
  std::vector<uint64_t> filter(kMostWords);
  FillPairFilter(model, &filter);
  size_t pairs = 0;
  for (const uint64_t word : filter) pairs += static_cast<size_t>(std::popcount(word));
  filter.resize(std::clamp(std::bit_ceil(pairs / 4), kFewestWords, kMostWords));
  FillPairFilter(model, &filter);
  return filter;
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_PAIR_FILTER_BUILDER_H_
