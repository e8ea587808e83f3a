#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base64.h"
#include "decimal.h"
#include "model_proto.h"
#include "sentencepiece_lite_generated.h"
#include "spm_text.h"
#include "spm_text_fields.h"
#include "utf8.h"
#include "wire_reader.h"
#include "wire_writer.h"

namespace sentencepiece::lite {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kVersion = ".spm ";
constexpr size_t kHeadSize = 512;

// What the models of a family have in common.
struct Recipe {
  std::string_view name;
  std::string_view fields;
};

constexpr Recipe kRecipes[] = {
    // Gemma 1, 2 and 3, by their published tokenizer.json and tokenizer_config.json.
    {"gemma",
     "trainer_spec.model_type: BPE\n"
     "trainer_spec.byte_fallback: true\n"
     "trainer_spec.unk_id: 3\n"
     "trainer_spec.bos_id: 2\n"
     "trainer_spec.eos_id: 1\n"
     "trainer_spec.pad_id: 0\n"
     "trainer_spec.unk_piece: \"<unk>\"\n"
     "trainer_spec.bos_piece: \"<bos>\"\n"
     "trainer_spec.eos_piece: \"<eos>\"\n"
     "trainer_spec.pad_piece: \"<pad>\"\n"
     "normalizer_spec.name: \"identity\"\n"
     "normalizer_spec.add_dummy_prefix: false\n"
     "normalizer_spec.remove_extra_whitespaces: false\n"
     "normalizer_spec.escape_whitespaces: true\n"},
    // Llama 1 and 2, Mistral 7B: the specs of their tokenizer.model.
    {"llama2",
     "trainer_spec.model_type: BPE\n"
     "trainer_spec.byte_fallback: true\n"
     "trainer_spec.unk_id: 0\n"
     "trainer_spec.bos_id: 1\n"
     "trainer_spec.eos_id: 2\n"
     "trainer_spec.pad_id: -1\n"
     "normalizer_spec.name: \"identity\"\n"
     "normalizer_spec.add_dummy_prefix: true\n"
     "normalizer_spec.remove_extra_whitespaces: false\n"
     "normalizer_spec.escape_whitespaces: true\n"},
    // T5: the specs of its spiece.model.
    {"t5",
     "trainer_spec.model_type: UNIGRAM\n"
     "trainer_spec.unk_id: 2\n"
     "trainer_spec.bos_id: -1\n"
     "trainer_spec.eos_id: 1\n"
     "trainer_spec.pad_id: 0\n"
     "normalizer_spec.name: \"nmt_nfkc\"\n"
     "normalizer_spec.precompiled_charsmap: rule:nmt_nfkc\n"
     "normalizer_spec.add_dummy_prefix: true\n"
     "normalizer_spec.remove_extra_whitespaces: true\n"
     "normalizer_spec.escape_whitespaces: true\n"},
};

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Takes what is before the first of `separators` from the front of `text`; all of it
// where there is none.
std::string_view TakeUntil(std::string_view separators, std::string_view* text) {
  const size_t end = std::min(text->find_first_of(separators), text->size());
  const std::string_view front = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return front;
}

std::string_view TakeWord(std::string_view* line) {
  *line = Trimmed(*line);
  return TakeUntil(kBlanks, line);
}

struct Line {
  std::string piece;
  float score = 0;
  int8_t type = 0;
};

// What is wrong with the line of a piece, or nothing.
std::string ParseLine(std::string_view text, Line* line) {
  const std::string_view piece = TakeWord(&text);
  const std::string_view score = TakeWord(&text);
  const std::string_view type = TakeWord(&text);
  const std::string_view rest = Trimmed(text);
  if (piece.empty()) return "is empty; each line is a piece in base64, its score and its type";
  if (score.empty()) return "has no score";
  // What tiktoken's load.py reads: each line a token in base64, and its rank.
  if (type.empty() && score.find_first_not_of("0123456789") == score.npos) {
    return "has a piece and a rank and no type, as .tiktoken files have: they are byte-level BPE, "
           "and no SentencePiece model";
  }
  if (type.empty() || type.starts_with('#')) {
    return "has no type, 1 to 6: without it, what is matched verbatim cannot be told from what is "
           "merged";
  }
  line->piece.clear();
  if (!AppendFromBase64(piece, &line->piece)) return "has a piece that is no base64";
  if (line->piece.empty()) return "has a piece that is empty";
  if (!IsWellFormed(line->piece)) return "has a piece that is no UTF-8";
  if (!ParseDecimal(score, &line->score)) {
    return "has the score " + std::string(score) + ", which is no float32";
  }
  if (type.size() != 1 || type[0] < '1' || type[0] > '6') {
    return "has the type " + std::string(type) +
           "; there are 1 NORMAL, 2 UNKNOWN, 3 CONTROL, 4 USER_DEFINED, 5 UNUSED and 6 BYTE";
  }
  line->type = static_cast<int8_t>(type[0] - '0');
  if (!rest.empty() && !rest.starts_with('#')) return "goes on after the type";
  return {};
}

// The fields of all specs, and what else the header says.
class Header {
 public:
  // Takes a comment, from its `#` on. What is wrong with it, or nothing: it may just be a comment.
  std::string TakeComment(std::string_view comment, std::string_view named_charsmap) {
    comment = Trimmed(comment.substr(1));
    if (comment.starts_with(kVersion)) {
      is_there_ = true;
      const std::string_view version = Trimmed(comment.substr(kVersion.size()));
      return version == "1" ? "" : "is of a version that is not known here; 1 is";
    }
    std::string_view value = comment;
    const std::string_view name = TakeUntil(":", &value);
    if (name == "pieces") return TakeCount(Trimmed(value));
    if (!IsFieldName(name)) return {};
    is_there_ = true;
    return TakeField(name, Trimmed(value), named_charsmap);
  }

  // Takes lines that replace what is there; or that do not, where it is there.
  std::string TakeLines(std::string_view lines, std::string_view named_charsmap) {
    Header other;
    while (!lines.empty()) {
      std::string_view line = Trimmed(TakeUntil("\n", &lines));
      if (line.starts_with('#')) line = Trimmed(line.substr(1));
      if (line.empty()) continue;
      std::string_view value = line;
      const std::string_view name = TakeUntil(":", &value);
      if (!IsFieldName(name)) return Quoted(line) + " is no field";
      std::string fault = other.TakeField(name, Trimmed(value), named_charsmap);
      if (!fault.empty()) return fault;
    }
    for (auto& [spec, fields] : other.specs_) {
      for (auto& [number, serialized] : fields) specs_[spec][number] = std::move(serialized);
    }
    return {};
  }

  // Whether the file has one.
  bool is_there() const { return is_there_; }
  // The pieces that it announces, or -1.
  int64_t count() const { return count_; }

  bool Has(std::string_view name) const {
    const auto [spec, field] = Find(name);
    const auto fields = specs_.find(spec->number);
    return fields != specs_.end() && fields->second.contains(field->number);
  }

  // Appends all fields to a model.
  void Serialize(std::string* model) const {
    for (const SpmSpec& spec : SpmSpecs()) {
      const auto fields = specs_.find(spec.number);
      if (fields == specs_.end()) continue;
      std::string message;
      for (const auto& [number, serialized] : fields->second) message.append(serialized);
      AppendBytes(spec.number, message, model);
    }
    model->append(unknown_fields_);
  }

 private:
  static std::string Quoted(std::string_view text) {
    std::string quoted;
    AppendQuoted(text, &quoted);
    return quoted;
  }

  static bool IsFieldName(std::string_view name) {
    const std::string_view spec = name.substr(0, name.find('.'));
    const auto specs = SpmSpecs();
    return spec.size() < name.size() &&
           (spec == "model" || std::any_of(
                                   specs.begin(), specs.end(),
                                   [spec](const SpmSpec& one) { return one.name == spec; }));
  }

  static std::pair<const SpmSpec*, const SpmField*> Find(std::string_view name) {
    const size_t dot = name.find('.');
    for (const SpmSpec& spec : SpmSpecs()) {
      if (spec.name != name.substr(0, dot)) continue;
      for (const SpmField& field : spec.fields) {
        if (field.name == name.substr(dot + 1)) return {&spec, &field};
      }
      return {&spec, nullptr};
    }
    return {nullptr, nullptr};
  }

  std::string TakeCount(std::string_view value) {
    const char* end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, count_);
    if (error == std::errc() && rest == end && count_ >= 0) return {};
    return "has a number of pieces that is none";
  }

  std::string TakeField(std::string_view name, std::string_view value,
                        std::string_view named_charsmap) {
    const auto [spec, field] = Find(name);
    if (name.substr(name.find('.') + 1) == kUnknownFields) {
      std::string* unknown =
          spec == nullptr ? &unknown_fields_ : &specs_[spec->number][kUnknownFieldsNumber];
      return TakeUnknownFields(name, value, spec, unknown);
    }
    if (field == nullptr) return Fault(name, "is no field of a model");
    std::string& serialized = specs_[spec->number][field->number];
    if (!serialized.empty() && !field->is_repeated) return Fault(name, "is there twice");
    const std::string fault = AppendFieldValue(*field, value, named_charsmap, &serialized);
    return fault.empty() ? fault : Fault(name, fault);
  }

  // Fields as they are in a message, which must be none of those that have a name.
  static std::string TakeUnknownFields(std::string_view name, std::string_view value,
                                       const SpmSpec* spec, std::string* fields) {
    if (!AppendFromBase64(value, fields)) return Fault(name, "is no base64");
    FieldReader field(*fields, *fields);
    bool is_known = false;
    while (field.Next()) {
      is_known |= spec == nullptr ? IsPartOfModel(field) : IsPartOf(*spec, field);
    }
    if (!field.error().empty()) return Fault(name, "holds no fields: " + field.error());
    return is_known ? Fault(name, "holds a field that has a name") : "";
  }

  static bool IsPartOfModel(const FieldReader& field) {
    const auto specs = SpmSpecs();
    return field.Is(1, kLengthDelimited) ||  // a piece
           std::any_of(specs.begin(), specs.end(), [&field](const SpmSpec& spec) {
             return field.Is(spec.number, kLengthDelimited);
           });
  }

  static bool IsPartOf(const SpmSpec& spec, const FieldReader& field) {
    const SerializedFields fields = SortFields(field.whole(), spec.fields);
    return !fields.contains(kUnknownFieldsNumber);
  }

  static std::string Fault(std::string_view name, std::string_view fault) {
    return std::string(name).append(" ").append(fault);
  }

  std::map<uint32_t, SerializedFields> specs_;
  std::string unknown_fields_;  // of the model itself
  int64_t count_ = -1;
  bool is_there_ = false;
};

// A piece of the model that is being made, for what concerns them all.
struct Entry {
  size_t begin;  // of the text in the model
  size_t size;
  uint32_t line;
  int8_t type;
};

class Reader {
 public:
  Reader(std::string_view text, const SpmTextAdditions& additions)
      : text_(text), additions_(additions) {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  StatusOr<std::string> Read() {
    std::string fault = ReadLines();
    if (fault.empty()) fault = FindCountFault();
    if (fault.empty()) fault = FindDuplicate();
    if (fault.empty()) fault = Complete();
    if (!fault.empty()) return {StatusCode::kInvalidArgument, fault};
    header_.Serialize(&model_);
    return std::move(model_);
  }

 private:
  std::string ReadLines() {
    model_.reserve(text_.size());
    Line parsed;
    uint32_t number = 0;
    while (!text_.empty()) {
      ++number;
      const std::string_view line = TakeUntil("\n", &text_);
      const bool is_comment = Trimmed(line).starts_with('#');
      const std::string fault = is_comment
                                    ? header_.TakeComment(Trimmed(line), additions_.named_charsmap)
                                    : ParseLine(line, &parsed);
      if (!fault.empty()) return "line " + std::to_string(number) + " " + fault;
      if (!is_comment) Append(parsed, number);
    }
    return {};
  }

  void Append(const Line& line, uint32_t number) {
    std::string& piece = serialized_piece_;
    piece.clear();
    AppendBytes(1, line.piece, &piece);
    const size_t text_end = piece.size();
    AppendFloat(2, line.score, &piece);
    if (line.type != PieceType_NORMAL) {  // the default
      AppendNumber(3, static_cast<uint64_t>(line.type), &piece);
    }
    AppendBytes(1, piece, &model_);
    const size_t begin = model_.size() - piece.size() + text_end - line.piece.size();
    entries_.push_back({begin, line.piece.size(), number, line.type});
    bytes_ += line.type == PieceType_BYTE;
  }

  std::string_view Text(const Entry& entry) const {
    return std::string_view(model_).substr(entry.begin, entry.size);
  }

  std::string FindCountFault() const {
    const auto count = static_cast<int64_t>(entries_.size());
    if (header_.count() < 0 || header_.count() == count) {
      return entries_.empty() ? "the file has no pieces" : "";
    }
    return "the header announces " + std::to_string(header_.count()) + " pieces, and there are " +
           std::to_string(count);
  }

  // The oracle refuses what is there twice among the pieces that a text can hold, and
  // among the others (InitializePieces of its model_interface.cc).
  std::string FindDuplicate() const {
    const auto is_text = [](const Entry& entry) {
      return entry.type == PieceType_NORMAL || entry.type == PieceType_USER_DEFINED ||
             entry.type == PieceType_UNUSED;
    };
    std::vector<std::pair<std::string_view, const Entry*>> sorted;
    sorted.reserve(entries_.size());
    for (const Entry& entry : entries_) sorted.emplace_back(Text(entry), &entry);
    // What is earlier in the file is earlier in memory.
    std::sort(sorted.begin(), sorted.end());
    const auto same = std::adjacent_find(
        sorted.begin(), sorted.end(), [&is_text](const auto& one, const auto& other) {
          return one.first == other.first && is_text(*one.second) == is_text(*other.second);
        });
    if (same == sorted.end()) return {};
    std::string message =
        "line " + std::to_string(std::next(same)->second->line) + " has the piece ";
    AppendQuoted(same->first, &message);
    return message + ", as line " + std::to_string(same->second->line) + " has";
  }

  // Adds what a plain file lacks.
  std::string Complete() {
    Header given;
    std::string fault = given.TakeLines(additions_.fields, additions_.named_charsmap);
    if (!fault.empty()) return fault;
    if (!additions_.recipe.empty() && header_.is_there()) {
      return "the file has a header that says what a recipe would say: take " +
             std::string(additions_.recipe) + " away";
    }
    if (!header_.is_there()) {
      fault = TakeRecipe(given.Has("trainer_spec.model_type"));
      if (!fault.empty()) return fault;
    }
    return header_.TakeLines(additions_.fields, additions_.named_charsmap);
  }

  std::string TakeRecipe(bool has_algorithm) {
    std::string_view name = additions_.recipe;
    if (name.empty() && !has_algorithm && IsGemma()) name = "gemma";
    if (name.empty() && !has_algorithm) {
      return "the file is plain: its lines do not say the algorithm and the normalizer; give a "
             "recipe (gemma, llama2, t5), as `spmlite convert --recipe llama2` does, or "
             "trainer_spec.model_type and what else differs from "
             "its default";
    }
    std::string fields;
    if (!name.empty()) {
      const auto* recipe = std::find_if(std::begin(kRecipes), std::end(kRecipes),
                                        [name](const Recipe& one) { return one.name == name; });
      if (recipe == std::end(kRecipes)) {
        return "there is no recipe " + std::string(name) + "; there are gemma, llama2 and t5";
      }
      fields = recipe->fields;
    } else if (bytes_ > 0) {
      fields = "trainer_spec.byte_fallback: true\n";  // no model has bytes for anything else
    }
    fields += "trainer_spec.vocab_size: " + std::to_string(entries_.size());
    return header_.TakeLines(fields, additions_.named_charsmap);
  }

  // Gemma's special pieces are like no other family's, and stand in front.
  bool IsGemma() const {
    static constexpr std::pair<std::string_view, PieceType> kFront[] = {
        {"<pad>", PieceType_CONTROL},
        {"<eos>", PieceType_CONTROL},
        {"<bos>", PieceType_CONTROL},
        {"<unk>", PieceType_UNKNOWN}};
    if (entries_.size() < std::size(kFront) || bytes_ != 256) return false;
    for (size_t id = 0; id < std::size(kFront); ++id) {
      if (Text(entries_[id]) != kFront[id].first || entries_[id].type != kFront[id].second) {
        return false;
      }
    }
    return true;
  }

  std::string_view text_;  // what is left of it
  const SpmTextAdditions& additions_;
  Header header_;
  std::string model_;
  std::string serialized_piece_;
  std::vector<Entry> entries_;
  size_t bytes_ = 0;  // pieces of type BYTE
};

}  // namespace

bool IsSpmText(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  std::string_view rest = bytes.substr(0, kHeadSize);
  const bool is_cut = bytes.size() >= kHeadSize && rest.find('\n') == rest.npos;
  const std::string_view line = TakeUntil("\n", &rest);
  if (line.starts_with('#')) return IsWellFormed(line) || is_cut;
  // A line with one mistake is still a line. No other kind of file begins with base64
  // and a number: .model and .spm.fb have control characters in front.
  std::string_view words = line;
  Line parsed;
  const bool is_base64 = AppendFromBase64(TakeWord(&words), &parsed.piece);
  const bool has_score = ParseDecimal(TakeWord(&words), &parsed.score);
  return is_base64 && !parsed.piece.empty() && has_score;
}

StatusOr<std::string> SpmTextToModel(std::string_view text, const SpmTextAdditions& additions) {
  return Reader(text, additions).Read();
}

}  // namespace sentencepiece::lite
