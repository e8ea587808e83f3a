// Encoding with a memory of what came before: the chunks between safe cuts repeat,
// and a chunk that was met before costs a look instead of an encoding. The ids are
// those of SentencePieceLiteProcessor::Encode, always: a key is the whole chunk.

#ifndef CACHED_SENTENCEPIECE_LITE_H_
#define CACHED_SENTENCEPIECE_LITE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sentencepiece_lite.h"

namespace sentencepiece::lite {

struct ChunkTables;

// For one thread at a time: give each its own. May serve several processors, which
// then share its room; it never mixes them up.
class TokenCache {
 public:
  // In pairs of slots; the room is taken when the cache is first used.
  enum class Capacity : size_t {
    kTiny = 1024,     // 2,048 slots, 64 KB
    kSmall = 4096,    // 8,192 slots, 256 KB
    kMedium = 16384,  // 32,768 slots, 1 MB
    kLarge = 131072,  // 262,144 slots, 8 MB
  };

  // A seed of 0 stands for one that differs from cache to cache.
  TokenCache() : TokenCache(Capacity::kMedium) {}
  explicit TokenCache(Capacity capacity, uint64_t seed = 0);
  explicit TokenCache(uint64_t seed) : TokenCache(Capacity::kMedium, seed) {}
  ~TokenCache();

  uint64_t seed() const { return seed_; }
  size_t num_pairs() const { return pairs_; }
  size_t capacity() const { return 2 * pairs_; }

  // Forgets everything.
  void Clear();

  // For the parts of this library.
  ChunkTables* tables();

 private:
  size_t pairs_;
  uint64_t seed_;
  std::unique_ptr<ChunkTables> tables_;
};

class CachedSentencePieceLite {
 public:
  // As SentencePieceLiteProcessor::Encode.
  static StatusCode Encode(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                           std::string_view text, std::vector<int>* ids);

  // As SentencePieceLiteProcessor::EncodeNormalized.
  static StatusCode EncodeNormalized(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                                     std::string_view normalized_text, std::vector<int>* ids);
};

}  // namespace sentencepiece::lite

#endif  // CACHED_SENTENCEPIECE_LITE_H_
