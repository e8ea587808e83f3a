// The rules of a normalizer, as one block of bytes: a NormalizerSpec's
// precompiled_charsmap (core/schema tells its layout).

#ifndef SPMLITE_CORE_CHARSMAP_H_
#define SPMLITE_CORE_CHARSMAP_H_

#include <string>
#include <string_view>
#include <vector>

#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

// `from` becomes `to`, which may be empty. Both are UTF-8 without NUL.
struct CharsmapRule {
  std::string from;
  std::string to;
};

// The rules in any order. An error names what a charsmap cannot say: a rule from nothing
// or to the same, two from the same, more than 31 that begin alike.
StatusOr<std::string> CompileCharsmap(std::vector<CharsmapRule> rules);

// The rules of a charsmap, sorted by `from`; an error for one that is damaged.
StatusOr<std::vector<CharsmapRule>> DecompileCharsmap(std::string_view charsmap);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_CHARSMAP_H_
