#include "model_proto_writer.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "sentencepiece_lite_generated.h"
#include "wire_writer.h"

namespace sentencepiece::lite {
namespace {

// The numbers of fields are those of sentencepiece_model.proto.

void AppendPiece(const SerializedPiece& piece, std::string* model) {
  std::string message;
  AppendBytes(1, piece.piece, &message);
  AppendFloat(2, piece.score, &message);
  if (piece.type != PieceType_NORMAL) AppendNumber(3, piece.type, &message);
  AppendBytes(1, message, model);
}

// The id of a piece that stands for something, or -1: protobuf's way to say that there is
// none.
uint64_t IdOf(const SerializedModel& model, std::string_view text, PieceType type) {
  const auto found = std::find_if(
      model.pieces.begin(), model.pieces.end(),
      [&](const SerializedPiece& piece) { return piece.type == type && piece.piece == text; });
  if (found == model.pieces.end()) return static_cast<uint64_t>(int64_t{-1});
  return static_cast<uint64_t>(found - model.pieces.begin());
}

std::string TrainerMessage(const SerializedModel& model) {
  const SerializedTrainerSpec& spec = model.trainer_spec;
  std::string message;
  AppendNumber(3, spec.model_type, &message);
  AppendNumber(4, model.pieces.size(), &message);
  if (spec.treat_whitespace_as_suffix) AppendNumber(24, 1, &message);
  AppendNumber(35, spec.byte_fallback, &message);
  AppendNumber(40, IdOf(model, spec.unk_piece, PieceType_UNKNOWN), &message);
  AppendNumber(41, IdOf(model, spec.bos_piece, PieceType_CONTROL), &message);
  AppendNumber(42, IdOf(model, spec.eos_piece, PieceType_CONTROL), &message);
  AppendNumber(43, IdOf(model, spec.pad_piece, PieceType_CONTROL), &message);
  if (spec.unk_surface != SerializedTrainerSpec().unk_surface) {
    AppendBytes(44, spec.unk_surface, &message);
  }
  AppendBytes(45, spec.unk_piece, &message);
  AppendBytes(46, spec.bos_piece, &message);
  AppendBytes(47, spec.eos_piece, &message);
  AppendBytes(48, spec.pad_piece, &message);
  return message;
}

std::string NormalizerMessage(const SerializedNormalizerSpec& spec) {
  std::string message;
  AppendBytes(1, spec.name, &message);
  AppendBytes(2, spec.precompiled_charsmap, &message);
  AppendNumber(3, spec.add_dummy_prefix, &message);
  AppendNumber(4, spec.remove_extra_whitespaces, &message);
  AppendNumber(5, spec.escape_whitespaces, &message);
  return message;
}

}  // namespace

std::string WriteModelProto(const SerializedModel& model) {
  std::string bytes;
  for (const SerializedPiece& piece : model.pieces) AppendPiece(piece, &bytes);
  AppendBytes(2, TrainerMessage(model), &bytes);
  AppendBytes(3, NormalizerMessage(model.normalizer_spec), &bytes);
  if (!model.denormalizer_spec.precompiled_charsmap.empty()) {
    AppendBytes(5, NormalizerMessage(model.denormalizer_spec), &bytes);
  }
  return bytes;
}

}  // namespace sentencepiece::lite
