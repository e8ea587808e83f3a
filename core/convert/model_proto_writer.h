// Writes a `.model`: protobuf's wire format of sentencepiece.ModelProto.

#ifndef SPMLITE_CORE_MODEL_PROTO_WRITER_H_
#define SPMLITE_CORE_MODEL_PROTO_WRITER_H_

#include <string>

#include "model_proto.h"

namespace sentencepiece::lite {

// The bytes of a `.model` that says what `model` says, and the ids of its special pieces.
std::string WriteModelProto(const SerializedModel& model);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_MODEL_PROTO_WRITER_H_
