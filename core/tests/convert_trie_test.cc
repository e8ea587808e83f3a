// The double arrays that the converter builds: what they hold, and that they are
// laid out as a reader needs them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "character_pairs.h"
#include "double_array.h"
#include "random_text.h"
#include "sorted_entries.h"
#include "trie_builder.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

constexpr uint32_t kValueUnit = 1u << 31;
constexpr uint32_t kHasValue = 1u << 8;
constexpr size_t kBlock = 256;  // units

using Map = std::map<std::string, uint32_t>;

std::vector<TrieEntry> Entries(const Map& map) {
  std::vector<TrieEntry> entries;
  for (const auto& [key, value] : map) entries.push_back({key, value});
  return entries;
}

CharacterPairs PairsOf(const Map& pieces) {
  CharacterPairs pairs;
  for (const auto& [piece, value] : pieces) pairs.AddPiece(piece);
  return pairs;
}

DoubleArray Attach(const std::vector<uint32_t>& units, uint32_t value_limit = kValueUnit) {
  DoubleArray trie;
  CHECK(trie.Attach(reinterpret_cast<const uint8_t*>(units.data()), units.size() * sizeof(uint32_t),
                    value_limit));
  return trie;
}

// Up to `most` keys of bytes from `first` to `last`, each of up to `longest`.
Map RandomMap(uint64_t seed, uint32_t most, uint32_t longest, uint8_t first, uint8_t last) {
  RandomText random(seed);
  Map map;
  for (uint32_t i = 0; i < most; ++i) {
    std::string key;
    for (uint32_t length = 1 + random.Below(longest); length > 0; --length) {
      key += static_cast<char>(first + random.Below(last - first + 1u));
    }
    map[key] = i;
  }
  return map;
}

uint32_t BaseOf(const std::vector<uint32_t>& units, uint32_t node) {
  const uint32_t unit = units[node];
  return node ^ ((unit & 0x200u) != 0 ? (unit >> 2) & ~0xFFu : unit >> 10);
}

// Reads all that can be reached from `node`, whose bytes so far are `key`.
void Collect(const std::vector<uint32_t>& units, uint32_t node, const std::string& key, Map* map,
             std::vector<uint32_t>* bases) {
  const uint32_t base = BaseOf(units, node);
  bases->push_back(base);
  if ((units[node] & kHasValue) != 0) (*map)[key] = units[base] & ~kValueUnit;
  for (uint32_t byte = 0; byte < kBlock; ++byte) {
    if ((units[base ^ byte] & (kValueUnit | 0xFF)) != byte) continue;
    Collect(units, base ^ byte, key + static_cast<char>(byte), map, bases);
  }
}

void CheckHolds(const std::vector<uint32_t>& units, const Map& expected) {
  Map found;
  std::vector<uint32_t> bases;
  Collect(units, DoubleArray::kRoot, "", &found, &bases);
  CHECK(found == expected);
  const std::set<uint32_t> distinct(bases.begin(), bases.end());
  CHECK(distinct.size() == bases.size());
  CHECK(distinct.count(0) == 0);
  Attach(units);
}

}  // namespace

TEST_CASE("no entries make no units") {
  CHECK(BuildTrie({}).empty());
  CHECK(BuildBigramTrie(CharacterPairs()).empty());
}

TEST_CASE("a trie holds its entries and nothing else, and no two nodes share a base") {
  SUBCASE("one key of one byte") { CheckHolds(BuildTrie(Entries({{"a", 0}})), {{"a", 0}}); }
  SUBCASE("the largest value") {
    CheckHolds(BuildTrie(Entries({{"a", kValueUnit - 1}})), {{"a", kValueUnit - 1}});
  }
  SUBCASE("keys that begin others") {
    const Map map = {{"a", 1}, {"ab", 2}, {"abc", 3}, {"b", 4}, {"\xff\xff", 5}};
    CheckHolds(BuildTrie(Entries(map)), map);
  }
  SUBCASE("every byte below the root and below another") {
    Map map;
    for (int byte = 1; byte < 256; ++byte) {
      map[std::string(1, static_cast<char>(byte))] = static_cast<uint32_t>(byte);
      map[std::string("\x01") + static_cast<char>(byte)] = static_cast<uint32_t>(1000 + byte);
    }
    CheckHolds(BuildTrie(Entries(map)), map);
  }
  SUBCASE("a key of 7,999 bytes") {
    const Map map = {{std::string(7999, 'a'), 1}, {std::string(7998, 'a') + "b", 2}};
    CheckHolds(BuildTrie(Entries(map)), map);
  }
  SUBCASE("random keys") {
    size_t keys = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
      const uint8_t first = seed % 3 == 0 ? 'a' : 1;
      const uint8_t last = seed % 3 == 1 ? 255 : 'a' + seed % 20;
      const Map map = RandomMap(seed, 1u << (seed % 12), 1 + seed % 9, first, last);
      CheckHolds(BuildTrie(Entries(map)), map);
      keys += map.size();
    }
    MESSAGE("60 maps with " << keys << " keys");
  }
}

TEST_CASE("values are found over offsets that are scaled") {
  // More than 2^21 units, which is as far as an offset of 21 bits leads.
  const Map map = RandomMap(7, 220'000, 30, 1, 255);
  const std::vector<TrieEntry> entries = Entries(map);
  const std::vector<uint32_t> units = BuildTrie(entries);
  REQUIRE(units.size() > size_t{1} << 21);
  const DoubleArray trie = Attach(units);
  const auto wrong = std::count_if(entries.begin(), entries.end(), [&](const TrieEntry& entry) {
    return trie.Find(entry.key) != static_cast<int32_t>(entry.value);
  });
  CHECK(wrong == 0);
  const auto scaled = std::count_if(units.begin(), units.end(), [](uint32_t unit) {
    return (unit & (kValueUnit | 0x200u)) == 0x200u;
  });
  CHECK(scaled > 0);
  MESSAGE(map.size() << " keys in " << units.size() << " units, " << scaled << " scaled offsets");
}

TEST_CASE("a trie is whole blocks and nearly full") {
  const std::vector<uint32_t> units = BuildTrie(Entries(RandomMap(3, 20'000, 8, 'a', 'z')));
  CHECK(units.size() % kBlock == 0);
  const auto unused = std::count(units.begin(), units.end(), kValueUnit);
  CHECK(static_cast<double>(unused) < 0.03 * static_cast<double>(units.size()));
}

TEST_CASE("every pair of neighbouring characters leads to the node of the second") {
  const Map pieces = {
      {"ab", 0}, {"bca", 1}, {"\xe3\x81\x82\xc3\xa9", 2}, {"x", 3}, {"\xc3\xa9z", 4}};
  const std::vector<uint32_t> units = BuildBigramTrie(PairsOf(pieces));
  const DoubleArray trie = Attach(units, static_cast<uint32_t>(units.size()));
  const auto node = [&](std::string_view text) { return trie.Walk(DoubleArray::kRoot, text); };
  const auto value = [&](std::string_view pair) { return static_cast<uint32_t>(trie.Find(pair)); };
  Map found;
  std::vector<uint32_t> bases;
  Collect(units, DoubleArray::kRoot, "", &found, &bases);
  CHECK(found.size() == 5);
  CHECK(value("ab") == node("b"));
  CHECK(value("bc") == node("c"));
  CHECK(value("\xe3\x81\x82\xc3\xa9") == node("\xc3\xa9"));
  SUBCASE("which is the root when no pair begins with it") {
    CHECK(value("ca") == node("a"));
    CHECK(value("\xc3\xa9z") == DoubleArray::kRoot);
  }
}

TEST_CASE("pairs of bytes that are no characters are taken by their first byte") {
  // A lead byte that is cut off, a stray continuation.
  const std::vector<uint32_t> units = BuildBigramTrie(PairsOf({{"a\xe3\x81", 0}, {"\x81z", 1}}));
  const DoubleArray trie = Attach(units, static_cast<uint32_t>(units.size()));
  CHECK(trie.Find("a\xe3\x81") >= 0);
  CHECK(trie.Find("\x81z") >= 0);
  CHECK(trie.Find("\xe3\x81") == DoubleArray::kNoValue);
}

TEST_CASE("entries are sorted by the bytes of their keys, the same keys in their order") {
  RandomText random(5);
  size_t count = 0;
  for (const uint32_t longest : {1u, 7u, 8u, 9u, 40u}) {
    // Long keys begin alike, so that what is behind their first bytes has to tell.
    const Map map = RandomMap(longest, 2'000, longest, longest > 8 ? 0xFE : 0x01, 0xFF);
    std::vector<TrieEntry> shuffled = Entries(map);
    for (size_t i = shuffled.size(); i > 1; --i) {
      std::swap(shuffled[i - 1], shuffled[random.Below(static_cast<uint32_t>(i))]);
    }
    shuffled.push_back({shuffled[0].key, 1u << 30});
    const std::vector<TrieEntry> sorted = SortedEntries(shuffled);
    REQUIRE(sorted.size() == map.size() + 1);
    for (size_t i = 1; i < sorted.size(); ++i) {
      const bool is_same = sorted[i - 1].key == sorted[i].key;
      CHECK((is_same ? sorted[i].value == 1u << 30 : sorted[i - 1].key < sorted[i].key));
      ++count;
    }
  }
  MESSAGE(count << " neighbours in order");
}

TEST_CASE("each pair of neighbouring characters is there once, in order") {
  CharacterPairs pairs;
  for (const char* piece : {"abab", "\xc3\xa9z", "b\xc3\xa9", "x", ""}) pairs.AddPiece(piece);
  const std::vector<CharacterPair> expected = {0x6162000000000000, 0x6261000000000000,
                                               0x62C3A90000000000, 0xC3A97A0000000000};
  CHECK(pairs.Sorted() == expected);
  SUBCASE("also where there are many") {
    std::set<std::string> known;
    RandomText random(9);
    for (int i = 0; i < 20'000; ++i) {
      std::string pair(2, '\0');
      for (char& c : pair) c = static_cast<char>(1 + random.Below(127));
      pairs.AddPiece(pair);
      known.insert(pair);
    }
    known.insert({"ab", "ba"});
    CHECK(pairs.pairs().size() == known.size() + 2);
    const std::vector<CharacterPair> sorted = pairs.Sorted();
    CHECK(std::is_sorted(sorted.begin(), sorted.end()));
  }
}

}  // namespace sentencepiece::lite
