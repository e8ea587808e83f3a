#include "sorted_entries.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "number_sort.h"

namespace sentencepiece::lite {
namespace {

constexpr size_t kPrefixBytes = sizeof(uint64_t);

// The bytes of a key from `depth` on, as a number that orders as they do; zeros behind the last.
uint64_t BytesFrom(std::string_view key, size_t depth) {
  key.remove_prefix(std::min(depth, key.size()));
  uint64_t number = 0;
  for (const char c : key.substr(0, kPrefixBytes)) number = number << 8 | static_cast<uint8_t>(c);
  return key.empty() || key.size() >= kPrefixBytes ? number
                                                   : number << (8 * (kPrefixBytes - key.size()));
}

// Of those in [begin, end), so many bytes in front are the same.
struct Run {
  size_t begin;
  size_t end;
  size_t depth;
};

}  // namespace

std::vector<TrieEntry> SortedEntries(const std::vector<TrieEntry>& entries) {
  std::vector<Numbered> items;
  items.reserve(entries.size());
  for (uint32_t i = 0; i < entries.size(); ++i) items.push_back({0, i});
  std::vector<Run> waiting = {{0, items.size(), 0}};
  while (!waiting.empty()) {
    const Run run = waiting.back();
    waiting.pop_back();
    const std::span<Numbered> alike(items.data() + run.begin, run.end - run.begin);
    for (Numbered& item : alike) item.number = BytesFrom(entries[item.value].key, run.depth);
    SortByNumber(alike);
    for (size_t begin = run.begin; begin < run.end;) {
      const uint64_t number = items[begin].number;
      size_t end = begin + 1;
      while (end < run.end && items[end].number == number) ++end;
      // Where the lowest byte is 0, the keys have ended.
      const bool goes_on = end - begin > 1 && (number & 0xFF) != 0;
      if (goes_on) waiting.push_back({begin, end, run.depth + kPrefixBytes});
      begin = end;
    }
  }
  std::vector<TrieEntry> sorted;
  sorted.reserve(items.size());
  for (const Numbered& item : items) sorted.push_back(entries[item.value]);
  return sorted;
}

}  // namespace sentencepiece::lite
