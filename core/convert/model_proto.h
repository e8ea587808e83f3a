// Reads a `.model` file: protobuf's wire format of sentencepiece.ModelProto.
//
// Field numbers and defaults are those of sentencepiece_model.proto in the
// sentencepiece 0.2.3 sdist; only what a tokenizer needs is read. Bytes are taken
// as protobuf takes them: unknown fields, groups and fields of an unexpected wire
// type are passed over, of a repeated scalar the last one counts, repeated
// messages of one field are merged, an enum value that is not declared is as if
// absent. The wire format: https://protobuf.dev/programming-guides/encoding/

#ifndef SPMLITE_CORE_MODEL_PROTO_H_
#define SPMLITE_CORE_MODEL_PROTO_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

// Those of the schema, whose header need not be at hand.
enum ModelType : int8_t;
enum PieceType : int8_t;

// ModelProto.SentencePiece.
struct SerializedPiece {
  std::string_view piece;
  float score = 0;
  PieceType type{1};  // NORMAL
};

// TrainerSpec.
struct SerializedTrainerSpec {
  ModelType model_type{1};  // UNIGRAM
  bool byte_fallback = false;
  bool treat_whitespace_as_suffix = false;
  std::string_view unk_piece = "<unk>";
  std::string_view bos_piece = "<s>";
  std::string_view eos_piece = "</s>";
  std::string_view pad_piece = "<pad>";
  std::string_view unk_surface = " \xe2\x81\x87 ";
};

// NormalizerSpec.
struct SerializedNormalizerSpec {
  std::string_view name;
  std::string_view precompiled_charsmap;
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
};

// ModelProto. What the file does not say has protobuf's default here, so a missing
// spec reads as one that says nothing.
struct SerializedModel {
  std::vector<SerializedPiece> pieces;
  SerializedTrainerSpec trainer_spec;
  SerializedNormalizerSpec normalizer_spec;
  SerializedNormalizerSpec denormalizer_spec;
};

// The strings of the result are views into `bytes`. An error tells what the file
// looks like, or the byte at which it stops being a ModelProto.
StatusOr<SerializedModel> ReadModelProto(std::string_view bytes);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_MODEL_PROTO_H_
