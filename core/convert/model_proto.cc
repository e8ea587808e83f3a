#include "model_proto.h"

#include <string>
#include <utility>

#include "sentencepiece_lite_generated.h"
#include "wire_reader.h"

namespace sentencepiece::lite {

// The reader finds these by the types of their arguments.
static void TakeField(const FieldReader& field, SerializedPiece* piece) {
  field.Take(1, &piece->piece);
  field.Take(2, &piece->score);
  field.Take(3, PieceType_NORMAL, PieceType_BYTE, &piece->type);
}

static void TakeField(const FieldReader& field, SerializedTrainerSpec* spec) {
  field.Take(3, ModelType_UNIGRAM, ModelType_CHAR, &spec->model_type);
  field.Take(24, &spec->treat_whitespace_as_suffix);
  field.Take(35, &spec->byte_fallback);
  field.Take(44, &spec->unk_surface);
  field.Take(45, &spec->unk_piece);
  field.Take(46, &spec->bos_piece);
  field.Take(47, &spec->eos_piece);
  field.Take(48, &spec->pad_piece);
}

static void TakeField(const FieldReader& field, SerializedNormalizerSpec* spec) {
  field.Take(1, &spec->name);
  field.Take(2, &spec->precompiled_charsmap);
  field.Take(3, &spec->add_dummy_prefix);
  field.Take(4, &spec->remove_extra_whitespaces);
  field.Take(5, &spec->escape_whitespaces);
}

namespace {

// What people pass in a model's stead; empty when it is none of that.
std::string_view DescribeOther(std::string_view bytes) {
  if (bytes.empty()) return "it is empty";
  static constexpr std::pair<std::string_view, std::string_view> kSignatures[] = {
      {"version https://git-lfs",
       "it is a Git LFS pointer; `git lfs pull` fetches the file itself"},
      {"GGUF", "it is a GGUF file"},
      {"PK\x03\x04", "it is a zip archive; unpack it first"},
      {"\x1f\x8b", "it is compressed with gzip; unpack it first"}};
  for (const auto& [start, description] : kSignatures) {
    if (bytes.starts_with(start)) return description;
  }
  if (bytes.size() >= 8 && bytes.substr(4, 4) == ModelProtoIdentifier()) {
    return "it is a .spm.fb, which needs no conversion";
  }
  const size_t text = bytes.find_first_not_of("\xef\xbb\xbf \t\r\n");
  const char first = text == std::string_view::npos ? '\0' : bytes[text];
  if (first == '<') return "it looks like HTML or XML, as of an error page";
  if (first == '{') return "it looks like JSON, as of a tokenizer.json";
  return {};
}

}  // namespace

StatusOr<SerializedModel> ReadModelProto(std::string_view bytes) {
  SerializedModel model;
  FieldReader field(bytes, bytes);
  while (field.Next()) {
    if (field.Is(1, kLengthDelimited)) model.pieces.emplace_back();
    if (!model.pieces.empty()) field.TakeMessage(1, &model.pieces.back());
    field.TakeMessage(2, &model.trainer_spec);
    field.TakeMessage(3, &model.normalizer_spec);
    field.TakeMessage(5, &model.denormalizer_spec);
  }
  if (field.error().empty() && !model.pieces.empty()) return model;

  std::string reason(DescribeOther(bytes));
  if (reason.empty()) reason = field.error();
  if (reason.empty()) reason = "it has no pieces";
  return {StatusCode::kInvalidArgument,
          "not a sentencepiece .model (a serialized ModelProto): " + reason};
}

}  // namespace sentencepiece::lite
