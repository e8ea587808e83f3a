// The order of keys that tries are built of.

#ifndef SPMLITE_CORE_SORTED_ENTRIES_H_
#define SPMLITE_CORE_SORTED_ENTRIES_H_

#include <vector>

#include "trie_builder.h"

namespace sentencepiece::lite {

// Entries sorted by their keys' unsigned bytes; keys hold no NUL. Those with the same key stay
// in their order.
std::vector<TrieEntry> SortedEntries(const std::vector<TrieEntry>& entries);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_SORTED_ENTRIES_H_
