// Sorts by numbers, in linear time.

#ifndef SPMLITE_CORE_NUMBER_SORT_H_
#define SPMLITE_CORE_NUMBER_SORT_H_

#include <cstdint>
#include <span>

namespace sentencepiece::lite {

struct Numbered {
  uint64_t number;
  uint32_t value;
};

// Sorts by `number`; what has the same one stays in its order.
void SortByNumber(std::span<Numbered> items);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_NUMBER_SORT_H_
