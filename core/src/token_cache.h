// What chunks came to: the ids of those met before. A key is the whole chunk, so
// a hit is exact by construction, and the generation of the model it was encoded
// with, so that models can share a table.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace sentencepiece::lite {

// `kWords` 8-byte words of key, `kIds` ids: two entries fit a cache line, or one.
template <size_t kWords, size_t kIds>
class ChunkTable {
 public:
  // The longest chunk.
  static constexpr size_t kMaxChunk = kWords * sizeof(uint64_t) - 1;

  // `pairs` is a power of two.
  ChunkTable(size_t pairs, uint64_t seed)
      : shift_(64 - std::countr_zero(pairs)), pairs_(new Pair[pairs]()) {
    for (uint64_t& multiplier : multipliers_) {
      seed += 0x9E3779B97F4A7C15u;
      multiplier = (seed ^ seed >> 29) * 0xBF58476D1CE4E5B9u | 1;
    }
  }

  // A chunk's bytes, then zeros, and its length in the last byte.
  using Key = std::array<uint64_t, kWords>;

  // Of a chunk of at most kMaxChunk bytes; sizeof(Key) can be read.
  static Key KeyOf(std::string_view chunk) {
    Key key;
    Key mask;
    std::memcpy(key.data(), chunk.data(), sizeof(Key));
    std::memcpy(mask.data(), &kOnesThenZeros[sizeof(Key) - chunk.size()], sizeof(Key));
    for (size_t i = 0; i < kWords; ++i) key[i] &= mask[i];
    key[kWords - 1] |= static_cast<uint64_t>(chunk.size()) << 56;
    return key;
  }

  // Where the key is, if it is here. Odd multipliers carry every byte of a word
  // into the high bits.
  size_t IndexOf(const Key& key) const {
    uint64_t hash = 0;
    for (size_t i = 0; i < kWords; ++i) hash += key[i] * multipliers_[i];
    return static_cast<size_t>(hash >> shift_);
  }
  void Prefetch([[maybe_unused]] size_t index) const {
#if defined(__GNUC__)
    __builtin_prefetch(&pairs_[index]);
#endif
  }

  // Copies what the chunk came to, kIds + 1 numbers, to `ids`; how many of them
  // count, or -1 when it is not here.
  int Copy(const Key& key, size_t index, uint32_t generation, int* ids) const {
    const Pair& pair = pairs_[index];
    const bool second = pair.entries[1].Matches(key, generation);
    if (!second && !pair.entries[0].Matches(key, generation)) return -1;
    const Entry& entry = pair.entries[second];
    std::memcpy(ids, entry.ids, sizeof(entry.ids));
    return static_cast<int>(entry.ids[kIds] & 0xFF);
  }

  // False when the ids are too many. The newer entry of a pair goes first; the
  // older makes way.
  bool Insert(const Key& key, uint32_t generation, const int* ids, size_t count) {
    if (count > kIds) return false;
    Pair& pair = pairs_[IndexOf(key)];
    pair.entries[1] = pair.entries[0];
    Entry& entry = pair.entries[0];
    entry.key = key;
    std::copy_n(ids, count, entry.ids);
    entry.ids[kIds] = static_cast<uint32_t>(count) | generation << 8;
    return true;
  }

 private:
  struct Entry {
    Key key;
    // The last number tells how many count, and the model they are of.
    uint32_t ids[kIds + 1];

    bool Matches(const Key& wanted, uint32_t generation) const {
      uint64_t difference = (ids[kIds] >> 8) ^ generation;
      for (size_t i = 0; i < kWords; ++i) difference |= key[i] ^ wanted[i];
      return difference == 0;
    }
  };
  struct alignas(64) Pair {
    Entry entries[2];
  };

  static constexpr auto kOnesThenZeros = [] {
    std::array<uint8_t, 2 * sizeof(Key)> bytes{};
    std::fill_n(bytes.begin(), sizeof(Key), uint8_t{0xFF});
    return bytes;
  }();

  int shift_;
  Key multipliers_;
  std::unique_ptr<Pair[]> pairs_;
};

// Short chunks of few ids, and the others: a quarter as many of these, twice the size.
struct ChunkTables {
  using Short = ChunkTable<2, 3>;
  using Long = ChunkTable<4, 7>;
  // What may be read at a chunk, and the room that its ids take.
  static constexpr size_t kReadable = sizeof(Long::Key);
  static constexpr size_t kMostIds = 8;

  ChunkTables(size_t pairs, uint64_t seed) : of_short(pairs, seed), of_long(pairs / 4, seed) {}

  void Insert(std::string_view chunk, uint32_t generation, const int* ids, size_t count) {
    const bool is_short = chunk.size() <= Short::kMaxChunk &&
                          of_short.Insert(Short::KeyOf(chunk), generation, ids, count);
    if (is_short || chunk.size() > Long::kMaxChunk) return;
    of_long.Insert(Long::KeyOf(chunk), generation, ids, count);
  }

  // As Copy, of a chunk that is not among the short ones.
  int CopyLong(std::string_view chunk, uint32_t generation, int* ids) const {
    if (chunk.size() > Long::kMaxChunk) return -1;
    const Long::Key key = Long::KeyOf(chunk);
    return of_long.Copy(key, of_long.IndexOf(key), generation, ids);
  }

  Short of_short;
  Long of_long;
  std::string text;  // for the one who works with them
};

}  // namespace sentencepiece::lite
