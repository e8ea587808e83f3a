// What chunks came to: the ids of those met before. A key is the whole chunk, so
// a hit is exact by construction, and the generation of the model it was encoded
// with, so that models can share a table.

#ifndef SPMLITE_CORE_TOKEN_CACHE_H_
#define SPMLITE_CORE_TOKEN_CACHE_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "emitter.h"

namespace sentencepiece::lite {

// `kWords` 8-byte words of key, `kIds` ids: two entries fit a cache line, or one.
template <size_t kWords, size_t kIds>
class ChunkTable {
 public:
  // `pairs` is a power of two.
  ChunkTable(size_t pairs, uint64_t seed)
      : shift_(64 - std::countr_zero(pairs)), seed_(seed), pairs_(new Pair[pairs]()) {}

  // Emits what the chunk came to; false when that is not here. `readable` bytes may be
  // read at the chunk, more than its length or not.
  bool Emit(std::string_view chunk, size_t readable, uint32_t generation, Emitter* emitter) const {
    if (chunk.size() > kMaxChunk) return false;
    const Key key = KeyOf(chunk, readable);
    const Pair& pair = pairs_[IndexOf(key)];
    const bool second = Matches(pair.entries[1], key, generation);
    const bool first = Matches(pair.entries[0], key, generation);
    if (!(first | second)) return false;
    emitter->EmitKnown(pair.entries[second].ids, pair.entries[second].count());
    return true;
  }

  // False when chunk or ids are too many. The newer entry of a pair goes first; the
  // older makes way.
  bool Insert(std::string_view chunk, uint32_t generation, const int* ids, size_t count) {
    if (chunk.size() > kMaxChunk || count > kIds) return false;
    const Key key = KeyOf(chunk, chunk.size());
    Pair& pair = pairs_[IndexOf(key)];
    pair.entries[1] = pair.entries[0];
    Entry& entry = pair.entries[0];
    entry.key = key;
    std::memcpy(entry.ids, ids, count * sizeof(int32_t));
    entry.count_and_generation = static_cast<uint32_t>(count) | generation << 8;
    return true;
  }

 private:
  // A chunk's bytes, then zeros, and its length in the last byte.
  using Key = std::array<uint64_t, kWords>;
  static constexpr size_t kMaxChunk = kWords * sizeof(uint64_t) - 1;

  struct Entry {
    Key key;
    int32_t ids[kIds];
    uint32_t count_and_generation;
    size_t count() const { return count_and_generation & 0xFF; }
  };
  struct alignas(64) Pair {
    Entry entries[2];
  };

  // The bytes of a chunk, by its length.
  static constexpr auto kMasks = [] {
    std::array<Key, kMaxChunk + 1> masks{};
    for (size_t length = 0; length <= kMaxChunk; ++length) {
      for (size_t byte = 0; byte < length; ++byte) {
        masks[length][byte / 8] |= uint64_t{0xFF} << (byte % 8 * 8);
      }
    }
    return masks;
  }();

  static Key KeyOf(std::string_view chunk, size_t readable) {
    Key key{};
    if (readable >= sizeof(Key)) {
      std::memcpy(key.data(), chunk.data(), sizeof(Key));
      for (size_t i = 0; i < kWords; ++i) key[i] &= kMasks[chunk.size()][i];
    } else {
      std::memcpy(key.data(), chunk.data(), chunk.size());
    }
    key[kWords - 1] |= static_cast<uint64_t>(chunk.size()) << 56;
    return key;
  }
  static bool Matches(const Entry& entry, const Key& key, uint32_t generation) {
    uint64_t difference = (entry.count_and_generation >> 8) ^ generation;
    for (size_t i = 0; i < kWords; ++i) difference |= entry.key[i] ^ key[i];
    return difference == 0;
  }
  // Odd multipliers carry every byte of a word into the high bits.
  size_t IndexOf(const Key& key) const {
    uint64_t hash = seed_;
    for (size_t i = 0; i < kWords; ++i) hash = (std::rotl(hash, 29) ^ key[i]) * 0x9E3779B97F4A7C15u;
    return static_cast<size_t>(hash >> shift_);
  }

  int shift_;
  uint64_t seed_;
  std::unique_ptr<Pair[]> pairs_;
};

// Short chunks of few ids, and the others: a quarter as many of these, twice the size.
class ChunkTables {
 public:
  ChunkTables(size_t pairs, uint64_t seed) : short_(pairs, seed), long_(pairs / 4, seed) {}

  bool Emit(std::string_view chunk, size_t readable, uint32_t generation, Emitter* emitter) const {
    return short_.Emit(chunk, readable, generation, emitter) ||
           long_.Emit(chunk, readable, generation, emitter);
  }

  void Insert(std::string_view chunk, uint32_t generation, const int* ids, size_t count) {
    if (!short_.Insert(chunk, generation, ids, count)) long_.Insert(chunk, generation, ids, count);
  }

 private:
  ChunkTable<2, 3> short_;
  ChunkTable<4, 7> long_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TOKEN_CACHE_H_
