#include "double_array.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

constexpr size_t kBlock = 256;  // units

bool Attach(const std::vector<uint32_t>& units, uint32_t value_limit, DoubleArray* trie) {
  return trie->Attach(reinterpret_cast<const uint8_t*>(units.data()),
                      units.size() * sizeof(uint32_t), value_limit);
}

bool IsSound(const std::vector<uint32_t>& units, uint32_t value_limit = 1) {
  DoubleArray trie;
  const bool sound = Attach(units, value_limit, &trie);
  CHECK(trie.empty() == !sound);
  return sound;
}

std::vector<uint32_t> Units(const std::vector<std::pair<std::string_view, uint32_t>>& map) {
  std::vector<TrieEntry> entries;
  for (const auto& [key, value] : map) entries.push_back({key, value});
  return BuildTrie(entries);
}

// One block in which nothing is amiss: the root alone, other units unreachable.
std::vector<uint32_t> RootAlone() {
  std::vector<uint32_t> units(kBlock, 1u << 31);
  units[0] = 1u << 10;
  return units;
}

}  // namespace

TEST_CASE("a trie without units finds nothing") {
  const DoubleArray trie;
  CHECK(trie.empty());
  CHECK(trie.Find("a") == DoubleArray::kNoValue);
  CHECK(trie.LongestPrefix("a").length == 0);
}

TEST_CASE("each key has its value, and nothing else has one") {
  const std::vector<uint32_t> units =
      Units({{"a", 3}, {"ab", 0}, {"abcd", 7}, {"\xe2\x96\x81", 5}});
  DoubleArray trie;
  REQUIRE(Attach(units, 8, &trie));
  CHECK(trie.Find("a") == 3);
  CHECK(trie.Find("ab") == 0);
  CHECK(trie.Find("abcd") == 7);
  CHECK(trie.Find("\xe2\x96\x81") == 5);
  for (const std::string_view other : {"", "b", "abc", "abcde", "\xe2", "\xe2\x96", "A"}) {
    CHECK(trie.Find(other) == DoubleArray::kNoValue);
  }
}

TEST_CASE("a NUL in a text matches nothing, not even the end of a key") {
  const std::vector<uint32_t> units = Units({{"a", 0}, {"ab", 0}});
  DoubleArray trie;
  REQUIRE(Attach(units, 1, &trie));
  using std::string_view_literals::operator""sv;
  CHECK(trie.Find("\0"sv) == DoubleArray::kNoValue);
  CHECK(trie.Find("a\0"sv) == DoubleArray::kNoValue);
  CHECK(trie.Find("a\0b"sv) == DoubleArray::kNoValue);
  CHECK(trie.LongestPrefix("a\0b"sv).length == 1);
}

TEST_CASE("prefixes come shortest first, and the longest is found") {
  const std::vector<uint32_t> units = Units({{"a", 1}, {"aa", 2}, {"aaaa", 4}});
  DoubleArray trie;
  REQUIRE(Attach(units, 5, &trie));
  std::vector<int> found;
  trie.ForEachPrefix("aaaaa", Spaces::kLiteral, [&](int32_t value, size_t length) {
    CHECK(static_cast<size_t>(value) == length);
    found.push_back(value);
  });
  CHECK(found == std::vector<int>{1, 2, 4});
  CHECK(trie.LongestPrefix("aaab").length == 2);
  CHECK(trie.LongestPrefix("aaaab").value == 4);
}

TEST_CASE("a walk goes on from where another stopped") {
  const std::vector<uint32_t> units = Units({{"abc", 0}});
  DoubleArray trie;
  REQUIRE(Attach(units, 1, &trie));
  const uint32_t ab = trie.Walk(DoubleArray::kRoot, "ab");
  REQUIRE(ab != DoubleArray::kNoNode);
  CHECK(trie.Value(trie.Walk(ab, "c")) == 0);
  CHECK(trie.Walk(ab, "d") == DoubleArray::kNoNode);
  CHECK(trie.Walk(DoubleArray::kNoNode, "c") == DoubleArray::kNoNode);
  CHECK(trie.Value(DoubleArray::kNoNode) == DoubleArray::kNoValue);
}

TEST_CASE("20,000 keys of every byte are found again") {
  std::map<std::string, uint32_t> map;
  uint32_t state = 1;
  while (map.size() < 20000) {
    std::string key;
    for (size_t length = 2 + map.size() % 5; length > 0; --length) {
      state = state * 1664525 + 1013904223;
      key += static_cast<char>(1 + (state >> 24) % 255);
    }
    map.emplace(key, static_cast<uint32_t>(map.size()));
  }
  std::vector<TrieEntry> entries;
  for (const auto& [key, value] : map) entries.push_back({key, value});
  const std::vector<uint32_t> units = BuildTrie(entries);
  DoubleArray trie;
  REQUIRE(Attach(units, 20000, &trie));
  size_t found = 0;
  for (const auto& [key, value] : map) {
    found += trie.Find(key) == static_cast<int32_t>(value);
  }
  CHECK(found == 20000);
}

TEST_CASE("what is not whole blocks of aligned units is refused") {
  std::vector<uint32_t> units(2 * kBlock + 1, 1u << 31);
  units[0] = 1u << 10;
  const auto* bytes = reinterpret_cast<const uint8_t*>(units.data());
  DoubleArray trie;
  CHECK(trie.Attach(bytes, kBlock * 4, 1));
  CHECK(trie.Attach(bytes, 2 * kBlock * 4, 1));
  for (size_t size : {size_t{0}, size_t{4}, kBlock * 4 - 1, kBlock * 4 + 1, kBlock * 4 + 4,
                      (2 * kBlock + 1) * 4}) {
    CHECK_FALSE(trie.Attach(bytes, size, 1));
  }
  CHECK_FALSE(trie.Attach(bytes + 1, kBlock * 4, 1));
  CHECK_FALSE(trie.Attach(bytes + 2, kBlock * 4, 1));
}

TEST_CASE("an array whose walks could leave it is refused") {
  CHECK(IsSound(RootAlone()));

  SUBCASE("the root is a value") {
    std::vector<uint32_t> units = RootAlone();
    units[0] |= 1u << 31;
    CHECK_FALSE(IsSound(units));
  }
  SUBCASE("the empty key has a value") {
    std::vector<uint32_t> units = RootAlone();
    units[0] |= 1u << 8;
    CHECK_FALSE(IsSound(units));
  }
  SUBCASE("the offset of a node leads out") {
    std::vector<uint32_t> units = RootAlone();
    units[7] = 256u << 10 | 'a';
    CHECK_FALSE(IsSound(units));
    units[7] = 255u << 10 | 'a';
    CHECK(IsSound(units));
  }
  SUBCASE("the scaled offset of a node leads out") {
    std::vector<uint32_t> units = RootAlone();
    units[7] = 1u << 10 | 1u << 9 | 'a';
    CHECK_FALSE(IsSound(units));
  }
  SUBCASE("the value of a key is no value") {
    std::vector<uint32_t> units = RootAlone();
    units[7] = 3u << 10 | 1u << 8 | 'a';
    units[7 ^ 3] = 0;
    CHECK_FALSE(IsSound(units));
    units[7 ^ 3] = 1u << 31;
    CHECK(IsSound(units));
  }
  SUBCASE("a value is beyond the limit") {
    std::vector<uint32_t> units = RootAlone();
    units[9] = 1u << 31 | 5;
    CHECK_FALSE(IsSound(units, 5));
    CHECK(IsSound(units, 6));
    units[9] = ~0u;
    CHECK_FALSE(IsSound(units, 6));
  }
}

TEST_CASE("a trie that leads back into itself ends with the text, or at the longest piece") {
  // "a" leads from the root to a node of value 0, and from there back to it.
  constexpr uint32_t kNode = 5;
  std::vector<uint32_t> units = RootAlone();
  units[0] = (kNode ^ 'a') << 10;
  units[kNode] = uint32_t{'a'} << 10 | 1u << 8 | 'a';
  DoubleArray trie;
  REQUIRE(Attach(units, 1, &trie));
  CHECK(trie.Walk(DoubleArray::kRoot, std::string(1000, 'a')) == kNode);
  CHECK(trie.LongestPrefix(std::string(1000, 'a')).length == 1000);
  CHECK(trie.LongestPrefix(std::string(100000, 'a')).length == DoubleArray::kMaxKeySize);
}

}  // namespace sentencepiece::lite
