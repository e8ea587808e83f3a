#include "spm_text_fields.h"

#include <bit>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "base64.h"
#include "decimal.h"
#include "model_proto.h"
#include "sentencepiece_lite_generated.h"
#include "utf8.h"
#include "wire_reader.h"
#include "wire_writer.h"

namespace sentencepiece::lite {
namespace {

using enum SpmFieldKind;

// sentencepiece_model.proto of the sentencepiece 0.2.3 sdist.
constexpr SpmField kTrainerSpec[] = {
    {"input", 1, kString, true},
    {"model_prefix", 2, kString},
    {"model_type", 3, kModelType},
    {"vocab_size", 4, kInt32},
    {"accept_language", 5, kString, true},
    {"self_test_sample_size", 6, kInt32},
    {"input_format", 7, kString},
    {"character_coverage", 10, kFloat},
    {"input_sentence_size", 11, kUint64},
    {"mining_sentence_size", 12, kInt32},
    {"training_sentence_size", 13, kInt32},
    {"seed_sentencepiece_size", 14, kInt32},
    {"shrinking_factor", 15, kFloat},
    {"num_threads", 16, kInt32},
    {"num_sub_iterations", 17, kInt32},
    {"max_sentence_length", 18, kInt32},
    {"shuffle_input_sentence", 19, kBool},
    {"max_sentencepiece_length", 20, kInt32},
    {"split_by_unicode_script", 21, kBool},
    {"split_by_whitespace", 22, kBool},
    {"split_by_number", 23, kBool},
    {"treat_whitespace_as_suffix", 24, kBool},
    {"split_digits", 25, kBool},
    {"allow_whitespace_only_pieces", 26, kBool},
    {"control_symbols", 30, kString, true},
    {"user_defined_symbols", 31, kString, true},
    {"vocabulary_output_piece_score", 32, kBool},
    {"hard_vocab_limit", 33, kBool},
    {"use_all_vocab", 34, kBool},
    {"byte_fallback", 35, kBool},
    {"required_chars", 36, kString},
    {"unk_id", 40, kInt32},
    {"bos_id", 41, kInt32},
    {"eos_id", 42, kInt32},
    {"pad_id", 43, kInt32},
    {"unk_surface", 44, kString},
    {"unk_piece", 45, kString},
    {"bos_piece", 46, kString},
    {"eos_piece", 47, kString},
    {"pad_piece", 48, kString},
    {"train_extremely_large_corpus", 49, kBool},
    {"enable_differential_privacy", 50, kBool},
    {"differential_privacy_noise_level", 51, kFloat},
    {"differential_privacy_clipping_threshold", 52, kUint64},
    {"pretokenization_delimiter", 53, kString},
    {"seed_sentencepieces_file", 54, kString},
    {"auto_character_coverage", 55, kBool},
};

constexpr SpmField kNormalizerSpec[] = {
    {"name", 1, kString},
    {"precompiled_charsmap", 2, kBytes},
    {"add_dummy_prefix", 3, kBool},
    {"remove_extra_whitespaces", 4, kBool},
    {"escape_whitespaces", 5, kBool},
    {"normalization_rule_tsv", 6, kString},
};

constexpr SpmSpec kSpecs[] = {
    {"trainer_spec", 2, kTrainerSpec},
    {"normalizer_spec", 3, kNormalizerSpec},
    {"denormalizer_spec", 5, kNormalizerSpec},
};

// By their number in TrainerSpec.ModelType.
constexpr std::string_view kModelTypes[] = {"", "UNIGRAM", "BPE", "WORD", "CHAR"};

constexpr std::string_view kRule = "rule:";
constexpr std::string_view kHexDigits = "0123456789abcdef";

WireType WireTypeOf(SpmFieldKind kind) {
  if (kind == kFloat) return kFixed32;
  return kind == kString || kind == kBytes ? kLengthDelimited : kVarint;
}

bool IsKnown(const FieldReader& field, const SpmField& known) {
  if (!field.Is(known.number, WireTypeOf(known.kind))) return false;
  return known.kind != kModelType ||
         (field.varint() >= ModelType_UNIGRAM && field.varint() <= ModelType_CHAR);
}

template <typename Number>
std::string ParseNumber(std::string_view value, Number* number) {
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, *number);
  return error == std::errc() && rest == end ? "" : "is no number that the field can hold";
}

int HexValue(char c) {
  const size_t value = kHexDigits.find(c);
  return value == std::string_view::npos ? -1 : static_cast<int>(value);
}

// The text between quotes; false where they are not those of one text.
bool ParseQuoted(std::string_view value, std::string* bytes) {
  if (value.size() < 2 || !value.starts_with('"') || !value.ends_with('"')) return false;
  value = value.substr(1, value.size() - 2);
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '"') return false;
    if (value[i] != '\\') {
      bytes->push_back(value[i]);
      continue;
    }
    if (++i == value.size()) return false;
    if (value[i] == '"' || value[i] == '\\') {
      bytes->push_back(value[i]);
    } else if (value[i] == 'n') {
      bytes->push_back('\n');
    } else if (value[i] == 'x' && i + 2 < value.size()) {
      const int high = HexValue(value[i + 1]);
      const int low = HexValue(value[i + 2]);
      if (high < 0 || low < 0) return false;
      bytes->push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      return false;
    }
  }
  return true;
}

std::string ParseBytes(std::string_view value, std::string_view named_charsmap,
                       std::string* bytes) {
  if (!value.starts_with(kRule)) {
    return AppendFromBase64(value, bytes) ? "" : "is no base64";
  }
  if (named_charsmap.empty()) {
    return "names a charsmap that is not at hand here: in Python, where the package sentencepiece "
           "is installed, it is";
  }
  bytes->append(named_charsmap);
  return {};
}

std::string AppendModelType(uint32_t number, std::string_view value, std::string* serialized) {
  for (uint32_t type = ModelType_UNIGRAM; type <= ModelType_CHAR; ++type) {
    if (value != kModelTypes[type]) continue;
    AppendNumber(number, type, serialized);
    return {};
  }
  return "is none of UNIGRAM, BPE, WORD and CHAR";
}

std::string ValueText(const SpmField& known, const FieldReader& field) {
  std::string text;
  float number = 0;
  switch (known.kind) {
    case kBool:
      return field.varint() != 0 ? "true" : "false";
    case kInt32:
      return std::to_string(static_cast<int32_t>(field.varint()));
    case kUint64:
      return std::to_string(field.varint());
    case kFloat:
      field.Take(known.number, &number);
      AppendDecimal(number, &text);
      return text;
    case kString:
      AppendQuoted(field.bytes(), &text);
      return text;
    case kBytes:
      AppendBase64(field.bytes(), &text);
      return text;
    case kModelType:
      return std::string(kModelTypes[field.varint()]);
  }
  return text;
}

}  // namespace

std::span<const SpmSpec> SpmSpecs() { return kSpecs; }

SerializedFields SortFields(std::string_view message, std::span<const SpmField> known) {
  SerializedFields sorted;
  FieldReader field(message, message);
  while (field.Next()) {
    const SpmField* found = nullptr;
    for (const SpmField& one : known) {
      if (IsKnown(field, one)) found = &one;
    }
    std::string& serialized = sorted[found != nullptr ? found->number : kUnknownFieldsNumber];
    if (found != nullptr && !found->is_repeated) serialized.clear();
    serialized.append(field.whole());
  }
  return sorted;
}

void AppendFieldLines(std::string_view spec, const SpmField& known, std::string_view serialized,
                      std::string* text) {
  FieldReader field(serialized, serialized);
  while (field.Next()) {
    const std::string value = ValueText(known, field);
    text->append("# ").append(spec).append(".").append(known.name);
    text->append(value.empty() ? ":" : ": ").append(value).append("\n");
  }
}

std::string AppendFieldValue(const SpmField& field, std::string_view value,
                             std::string_view named_charsmap, std::string* serialized) {
  std::string bytes;
  std::string fault;
  int32_t small = 0;
  uint64_t large = 0;
  float real = 0;
  switch (field.kind) {
    case kBool:
      if (value != "true" && value != "false") return "is neither true nor false";
      AppendNumber(field.number, value == "true", serialized);
      return {};
    case kInt32:
      fault = ParseNumber(value, &small);
      AppendNumber(field.number, static_cast<uint64_t>(int64_t{small}), serialized);
      return fault;
    case kUint64:
      fault = ParseNumber(value, &large);
      AppendNumber(field.number, large, serialized);
      return fault;
    case kFloat:
      if (!ParseDecimal(value, &real)) return "is no number that the field can hold";
      AppendFloat(field.number, real, serialized);
      return {};
    case kString:
      if (!ParseQuoted(value, &bytes)) return "is no text between quotes";
      AppendBytes(field.number, bytes, serialized);
      return {};
    case kBytes:
      fault = ParseBytes(value, named_charsmap, &bytes);
      AppendBytes(field.number, bytes, serialized);
      return fault;
    case kModelType:
      return AppendModelType(field.number, value, serialized);
  }
  return {};
}

void AppendQuoted(std::string_view bytes, std::string* text) {
  text->push_back('"');
  while (!bytes.empty()) {
    const size_t length = WellFormedLength(bytes);
    const auto byte = static_cast<unsigned char>(bytes[0]);
    if (byte == '"' || byte == '\\') {
      text->append({'\\', bytes[0]});
    } else if (byte == '\n') {
      text->append("\\n");
    } else if (length == 0 || byte < ' ' || byte == 0x7F) {
      text->append({'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]});
    } else {
      text->append(bytes.substr(0, length));
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  text->push_back('"');
}

}  // namespace sentencepiece::lite
