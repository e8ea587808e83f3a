// The scores of a BPE model, from a tokenizer.json's list of pairs.

#ifndef SPMLITE_CORE_TOKENIZER_JSON_MERGES_H_
#define SPMLITE_CORE_TOKENIZER_JSON_MERGES_H_

#include <string>
#include <vector>

#include "json.h"
#include "model_proto.h"

namespace sentencepiece::lite {

// Gives each NORMAL piece the negative place of its pairs among the merges; what is not
// merged comes last. What is wrong, or nothing: a tokenizer that leaves apart what
// SentencePiece would join, or joins it at two places of the list.
std::string ScoreByMerges(const Json& merges, std::vector<SerializedPiece>* pieces);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TOKENIZER_JSON_MERGES_H_
