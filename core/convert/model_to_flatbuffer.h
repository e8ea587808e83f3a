// The converter proper: `.model` alone, without what reads the other forms of a model.

#ifndef SPMLITE_CORE_MODEL_TO_FLATBUFFER_H_
#define SPMLITE_CORE_MODEL_TO_FLATBUFFER_H_

#include <string>
#include <string_view>

#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

// ToFlatbuffer of what is no `.spm`. The result has passed all checks of a load, so that it may
// be loaded without.
StatusOr<std::string> ModelToFlatbuffer(std::string_view serialized_model);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_MODEL_TO_FLATBUFFER_H_
