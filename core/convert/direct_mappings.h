// Which pieces of a BPE model encode to themselves.

#ifndef SPMLITE_CORE_DIRECT_MAPPINGS_H_
#define SPMLITE_CORE_DIRECT_MAPPINGS_H_

#include <cstdint>
#include <vector>

#include "model.h"
#include "trie_builder.h"

namespace sentencepiece::lite {

// The fields has_direct_mappings and is_direct_mapping.
struct DirectMappings {
  bool has_any = false;
  std::vector<uint8_t> flags;  // by id; empty when all are 1
};

// Asks the runtime, with a model that has none yet. `sorted` are its pieces. Pieces that no
// text can contain do not count, so that most models need no flags.
DirectMappings FindDirectMappings(const std::vector<TrieEntry>& sorted, const Model& model);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_DIRECT_MAPPINGS_H_
