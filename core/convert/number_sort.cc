#include "number_sort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace sentencepiece::lite {
namespace {

// Below that, counting takes longer than moving items one by one.
constexpr size_t kFewest = 64;
constexpr size_t kNumberBytes = sizeof(uint64_t);

void InsertByNumber(std::span<Numbered> items) {
  for (size_t i = 1; i < items.size(); ++i) {
    const Numbered item = items[i];
    size_t place = i;
    for (; place > 0 && items[place - 1].number > item.number; --place) {
      items[place] = items[place - 1];
    }
    items[place] = item;
  }
}

uint8_t ByteOf(const Numbered& item, size_t byte) {
  return static_cast<uint8_t>(item.number >> (8 * byte));
}

}  // namespace

// By one byte after the other, the lowest first: each pass keeps the order of the ones before.
void SortByNumber(std::span<Numbered> items) {
  if (items.size() < kFewest) return InsertByNumber(items);
  std::array<std::array<uint32_t, 256>, kNumberBytes> counts{};
  for (const Numbered& item : items) {
    for (size_t byte = 0; byte < kNumberBytes; ++byte) ++counts[byte][ByteOf(item, byte)];
  }
  std::vector<Numbered> sorted(items.size());
  for (size_t byte = 0; byte < kNumberBytes; ++byte) {
    if (counts[byte][ByteOf(items[0], byte)] == items.size()) continue;  // all are alike
    uint32_t place = 0;
    for (uint32_t& count : counts[byte]) {
      place += count;
      count = place - count;
    }
    for (const Numbered& item : items) sorted[counts[byte][ByteOf(item, byte)]++] = item;
    std::copy(sorted.begin(), sorted.end(), items.begin());
  }
}

}  // namespace sentencepiece::lite
