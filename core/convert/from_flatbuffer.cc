#include "from_flatbuffer.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "model_proto.h"
#include "model_proto_writer.h"
#include "sentencepiece_lite_generated.h"

namespace sentencepiece::lite {
namespace {

std::string_view ViewOf(const flatbuffers::String* text) {
  return text == nullptr ? std::string_view() : std::string_view(text->c_str(), text->size());
}

float ScoreOf(const ModelProto& model, uint32_t id) {
  if (model.float_scores() != nullptr) return model.float_scores()->Get(id);
  if (model.int_scores() != nullptr) return static_cast<float>(model.int_scores()->Get(id));
  return model.scores() == nullptr ? 0 : model.scores()->Get(id);
}

std::vector<SerializedPiece> PiecesOf(const ModelProto& model) {
  std::vector<SerializedPiece> pieces;
  for (uint32_t id = 0; id < model.pieces()->size(); ++id) {
    const PieceType type = static_cast<PieceType>(model.types()->Get(id));
    pieces.push_back({ViewOf(model.pieces()->Get(id)), ScoreOf(model, id),
                      type == PieceType_DEFAULT ? PieceType_NORMAL : type});
  }
  return pieces;
}

SerializedNormalizerSpec NormalizerOf(const NormalizerSpec* spec) {
  if (spec == nullptr) return {};
  const flatbuffers::Vector<uint8_t>* charsmap = spec->precompiled_charsmap();
  return {
      .name = ViewOf(spec->name()),
      .precompiled_charsmap =
          charsmap == nullptr
              ? std::string_view()
              : std::string_view(reinterpret_cast<const char*>(charsmap->data()), charsmap->size()),
      .add_dummy_prefix = spec->add_dummy_prefix(),
      .remove_extra_whitespaces = spec->remove_extra_whitespaces(),
      .escape_whitespaces = spec->escape_whitespaces()};
}

// The text of a piece that is not of a type; there are such pieces in every model.
std::string_view AnyTextBut(const SerializedModel& model, PieceType type) {
  const auto found = std::find_if(model.pieces.begin(), model.pieces.end(),
                                  [&](const SerializedPiece& piece) { return piece.type != type; });
  return found == model.pieces.end() ? std::string_view() : found->piece;
}

// The name by which a role of control pieces finds the id; where it has none, the usual name
// unless that is one of them.
std::string_view ControlName(const SerializedModel& model, int id, std::string_view usual) {
  if (id >= 0) return model.pieces[static_cast<size_t>(id)].piece;
  const bool plays =
      std::any_of(model.pieces.begin(), model.pieces.end(), [&](const SerializedPiece& piece) {
        return piece.type == PieceType_CONTROL && piece.piece == usual;
      });
  return plays ? AnyTextBut(model, PieceType_CONTROL) : usual;
}

// A name that is no piece would find the UNKNOWN one.
std::string_view UnknownName(const SerializedModel& model, int id, std::string_view usual) {
  if (id >= 0) return model.pieces[static_cast<size_t>(id)].piece;
  const bool has_unknown =
      std::any_of(model.pieces.begin(), model.pieces.end(),
                  [](const SerializedPiece& piece) { return piece.type == PieceType_UNKNOWN; });
  return has_unknown ? AnyTextBut(model, PieceType_UNKNOWN) : usual;
}

}  // namespace

StatusOr<std::string> FromFlatbuffer(std::string_view blob) {
  const SentencePieceLiteProcessor processor(blob);
  if (processor.status() != StatusCode::kOk) {
    return {processor.status(), std::string(processor.status_message())};
  }
  const ModelProto& model = *GetModelProto(blob.data());
  SerializedModel serialized;
  serialized.pieces = PiecesOf(model);
  serialized.normalizer_spec = NormalizerOf(model.normalizer_spec());
  serialized.denormalizer_spec = NormalizerOf(model.denormalizer_spec());
  SerializedTrainerSpec& spec = serialized.trainer_spec;
  spec.model_type = model.model_type();
  spec.byte_fallback =
      std::any_of(serialized.pieces.begin(), serialized.pieces.end(),
                  [](const SerializedPiece& piece) { return piece.type == PieceType_BYTE; });
  spec.treat_whitespace_as_suffix =
      model.normalizer_spec() != nullptr && model.normalizer_spec()->treat_whitespace_as_suffix();
  if (model.unk_surface() != nullptr) spec.unk_surface = ViewOf(model.unk_surface());
  spec.unk_piece = UnknownName(serialized, processor.unk_id(), spec.unk_piece);
  spec.bos_piece = ControlName(serialized, processor.bos_id(), spec.bos_piece);
  spec.eos_piece = ControlName(serialized, processor.eos_id(), spec.eos_piece);
  spec.pad_piece = ControlName(serialized, processor.pad_id(), spec.pad_piece);
  return WriteModelProto(serialized);
}

}  // namespace sentencepiece::lite
