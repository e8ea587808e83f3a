// Builds the double arrays that core/src/double_array.h reads.

#ifndef SPMLITE_CORE_TRIE_BUILDER_H_
#define SPMLITE_CORE_TRIE_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "character_pairs.h"

namespace sentencepiece::lite {

// A trie's limit, 512 MiB: three of them find room in one FlatBuffer. (The offset
// of a unit would reach four times as far.)
inline constexpr size_t kMaxTrieUnits = size_t{1} << 27;

struct TrieEntry {
  std::string_view key;
  uint32_t value;  // below 2^31
};

// The units of a trie that maps each key to its value. The keys are sorted as
// unsigned bytes, differ from one another, are not empty and hold no NUL. No
// units for no entries, nor when more than kMaxTrieUnits are needed.
std::vector<uint32_t> BuildTrie(std::span<const TrieEntry> entries);

// The trie of pairs of neighbouring characters. A pair's value is the node that its
// second character alone leads to from the root, 0 when no pair begins so: where a walk
// goes on after the pair. Empty as above.
std::vector<uint32_t> BuildBigramTrie(const CharacterPairs& pairs);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TRIE_BUILDER_H_
