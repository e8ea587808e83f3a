#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base64.h"
#include "decimal.h"
#include "model_proto.h"
#include "spm_text.h"
#include "spm_text_fields.h"
#include "utf8.h"
#include "wire_reader.h"

namespace sentencepiece::lite {
namespace {

constexpr uint32_t kPiecesNumber = 1;  // in ModelProto
constexpr std::string_view kCharsmapField = "precompiled_charsmap";
constexpr std::string_view kTypes[] = {"",       "NORMAL", "UNKNOWN", "CONTROL", "USER_DEFINED",
                                       "UNUSED", "BYTE"};

// Why the format cannot hold a piece, or nothing.
std::string_view FindFault(const SerializedPiece& piece) {
  if (piece.piece.empty()) return " is empty";
  if (!IsWellFormed(piece.piece)) return " is no UTF-8";
  const auto bits = std::bit_cast<uint32_t>(piece.score);
  const auto usual = std::bit_cast<uint32_t>(std::numeric_limits<float>::quiet_NaN());
  if (std::isnan(piece.score) && bits != usual) return " has a NaN of unusual bits for a score";
  return {};
}

void AppendPiece(const SerializedPiece& piece, bool has_comments, std::string* text) {
  AppendBase64(piece.piece, text);
  text->push_back(' ');
  AppendDecimal(piece.score, text);
  text->push_back(' ');
  text->push_back(static_cast<char>('0' + piece.type));
  if (has_comments) {
    text->append("  # ");
    AppendQuoted(piece.piece, text);
    text->append(" ").append(kTypes[piece.type]);
  }
  text->push_back('\n');
}

void AppendUnknown(std::string_view spec, const SerializedFields& fields, std::string* text) {
  const auto unknown = fields.find(kUnknownFieldsNumber);
  if (unknown == fields.end()) return;
  text->append("# ").append(spec).append(".").append(kUnknownFields).append(": ");
  AppendBase64(unknown->second, text);
  text->push_back('\n');
}

void AppendSpec(const SpmSpec& spec, std::string_view message, std::string_view charsmap_rule,
                std::string* text) {
  const SerializedFields fields = SortFields(message, spec.fields);
  for (const SpmField& field : spec.fields) {
    const auto found = fields.find(field.number);
    if (found == fields.end()) continue;
    if (field.name == kCharsmapField && !charsmap_rule.empty()) {
      text->append("# ").append(spec.name).append(".").append(field.name);
      text->append(": rule:").append(charsmap_rule).append("\n");
    } else {
      AppendFieldLines(spec.name, field, found->second, text);
    }
  }
  AppendUnknown(spec.name, fields, text);
}

// Of a model that has been read: its messages, those of one number one after another,
// which is how protobuf merges them.
void AppendSpecs(std::string_view model, std::string_view charsmap_rule, std::string* text) {
  SerializedFields messages;
  FieldReader field(model, model);
  while (field.Next()) {
    if (field.Is(kPiecesNumber, kLengthDelimited)) continue;
    bool is_known = false;
    for (const SpmSpec& spec : SpmSpecs()) {
      if (!field.Is(spec.number, kLengthDelimited)) continue;
      is_known = true;
      messages[spec.number].append(field.bytes());
    }
    if (!is_known) messages[kUnknownFieldsNumber].append(field.whole());
  }
  for (const SpmSpec& spec : SpmSpecs()) {
    const bool is_normalizer = spec.name == "normalizer_spec";
    AppendSpec(spec, messages[spec.number], is_normalizer ? charsmap_rule : "", text);
  }
  AppendUnknown("model", messages, text);
}

}  // namespace

StatusOr<std::string> ModelToSpmText(std::string_view model, const SpmTextStyle& style) {
  const StatusOr<SerializedModel> read = ReadModelProto(model);
  if (!read.ok()) return {read.code(), std::string(read.message())};
  const std::vector<SerializedPiece>& pieces = (*read).pieces;
  std::string text;
  if (!style.is_plain) {
    text.append("# .spm 1\n# pieces: ").append(std::to_string(pieces.size())).append("\n");
    AppendSpecs(model, style.charsmap_rule, &text);
  }
  for (size_t id = 0; id < pieces.size(); ++id) {
    const std::string_view fault = FindFault(pieces[id]);
    if (!fault.empty()) {
      return {StatusCode::kInvalidArgument,
              "piece " + std::to_string(id) + std::string(fault) + ": .spm cannot say that"};
    }
    AppendPiece(pieces[id], style.has_comments, &text);
  }
  return text;
}

std::string SpmTextHeader(std::string_view model) {
  std::string text;
  AppendSpecs(model, {}, &text);
  return text;
}

}  // namespace sentencepiece::lite
