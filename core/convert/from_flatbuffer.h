// The way back: from a `.spm.fb` to sentencepiece's own model file.

#ifndef SPMLITE_CORE_FROM_FLATBUFFER_H_
#define SPMLITE_CORE_FROM_FLATBUFFER_H_

#include <string>
#include <string_view>

#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

// The bytes of a `.model` that has the ids, texts and scores of a `.spm.fb`. What that does
// not hold is lost: how the model was trained, and the sign of a score of zero. An error
// says why the blob would not load.
StatusOr<std::string> FromFlatbuffer(std::string_view blob);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_FROM_FLATBUFFER_H_
