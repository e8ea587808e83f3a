// The fields of a `.spm`'s header: their names, and their values as text and in
// protobuf's wire format.

#ifndef SPMLITE_CORE_SPM_TEXT_FIELDS_H_
#define SPMLITE_CORE_SPM_TEXT_FIELDS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace sentencepiece::lite {

enum class SpmFieldKind { kBool, kInt32, kUint64, kFloat, kString, kBytes, kModelType };

struct SpmField {
  std::string_view name;
  uint32_t number;
  SpmFieldKind kind;
  bool is_repeated = false;
};

// A message of ModelProto that the header speaks of.
struct SpmSpec {
  std::string_view name;
  uint32_t number;
  std::span<const SpmField> fields;
};

// trainer_spec, normalizer_spec, denormalizer_spec.
std::span<const SpmSpec> SpmSpecs();

// Fields that no name is known for, as they are in the message: base64 under this name,
// which belongs to every spec and to the model itself.
inline constexpr std::string_view kUnknownFields = "unknown_fields";

// The fields of a message in wire format, by number; those without a name have the last.
using SerializedFields = std::map<uint32_t, std::string>;
inline constexpr uint32_t kUnknownFieldsNumber = ~uint32_t{0};

// Sorts the fields of a message. Of one that is not repeated the last counts, as for
// protobuf. Calls that tell where a message stops being one have been made before.
SerializedFields SortFields(std::string_view message, std::span<const SpmField> known);

// Calls `line(value)` for each value of a field, as the header writes it.
void AppendFieldLines(std::string_view spec, const SpmField& field, std::string_view serialized,
                      std::string* text);

// Appends a value to a field in wire format; what is wrong with it, or nothing.
std::string AppendFieldValue(const SpmField& field, std::string_view value,
                             std::string_view named_charsmap, std::string* serialized);

// Text between quotes, as protobuf's text format has it: \n, \", \\ and \xHH for what
// cannot be shown.
void AppendQuoted(std::string_view bytes, std::string* text);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_SPM_TEXT_FIELDS_H_
