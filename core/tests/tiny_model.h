// Small models for tests, written down piece by piece.
//
// A TinyModel is turned into the bytes of a `.model` file (field numbers of
// sentencepiece_model.proto in the sentencepiece 0.2.3 sdist), so that a test
// goes the way a user's model goes: Serialize, ToFlatbuffer, processor.

#ifndef SPMLITE_CORE_TESTS_TINY_MODEL_H_
#define SPMLITE_CORE_TESTS_TINY_MODEL_H_

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sentencepiece_lite.h"
#include "sentencepiece_lite_generated.h"
#include "sentencepiece_model_converters.h"
#include "trie_builder.h"

// Failed comparisons of vectors show what is in them.
namespace doctest {
template <typename T>
struct StringMaker<std::vector<T>> {
  static String convert(const std::vector<T>& values) {
    String text = "[";
    for (size_t i = 0; i < values.size(); ++i) {
      text += (i == 0 ? "" : ", ") + toString(values[i]);
    }
    return text + "]";
  }
};
template <>
struct StringMaker<std::string_view> {
  static String convert(std::string_view text) { return ("\"" + std::string(text) + "\"").c_str(); }
};
template <>
struct StringMaker<sentencepiece::lite::StatusCode> {
  static String convert(sentencepiece::lite::StatusCode code) {
    return ("status " + std::to_string(static_cast<int>(code))).c_str();
  }
};
template <>
struct StringMaker<sentencepiece::lite::TokenSpan> {
  static String convert(const sentencepiece::lite::TokenSpan& span) {
    return (std::to_string(span.begin) + ".." + std::to_string(span.end)).c_str();
  }
};
}  // namespace doctest

namespace sentencepiece::lite {

inline bool operator==(const TokenSpan& a, const TokenSpan& b) {
  return a.begin == b.begin && a.end == b.end;
}

// U+2581, as it stands in test texts.
#define MARK "\xe2\x96\x81"
// U+FFFD.
#define FFFD "\xef\xbf\xbd"

struct TinyPiece {
  std::string piece = {};
  float score = 0;
  PieceType type = PieceType_NORMAL;
};

struct TinyNormalizerSpec {
  std::string charsmap = {};
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
};

// Changes nothing but spaces, which it escapes.
inline TinyNormalizerSpec PlainSpec() {
  return {.add_dummy_prefix = false, .remove_extra_whitespaces = false};
}

// A field without a value is absent from the file.
struct TinyModel {
  ModelType type = ModelType_UNIGRAM;
  std::vector<TinyPiece> pieces = {};
  bool byte_fallback = false;
  bool treat_whitespace_as_suffix = false;
  std::optional<int> unk_id = std::nullopt;
  std::optional<std::string> unk_surface = std::nullopt;
  std::optional<std::string> unk_piece = std::nullopt;
  std::optional<std::string> bos_piece = std::nullopt;
  std::optional<std::string> eos_piece = std::nullopt;
  std::optional<std::string> pad_piece = std::nullopt;
  std::optional<TinyNormalizerSpec> normalizer = std::nullopt;
  std::optional<TinyNormalizerSpec> denormalizer = std::nullopt;
};

inline const TinyPiece kUnknownPiece = {"<unk>", 0, PieceType_UNKNOWN};

// <unk>, then `pieces`, behind a normalizer that changes nothing but spaces.
inline TinyModel PlainModel(ModelType type, std::vector<TinyPiece> pieces) {
  pieces.insert(pieces.begin(), kUnknownPiece);
  return {.type = type, .pieces = std::move(pieces), .normalizer = PlainSpec()};
}

inline std::string BytePiece(int byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
}

// All 256, in order, at the end; byte_fallback is switched on.
inline void AddBytePieces(TinyModel* model) {
  for (int byte = 0; byte < 256; ++byte) {
    model->pieces.push_back({BytePiece(byte), 0, PieceType_BYTE});
  }
  model->byte_fallback = true;
}

// Writes the fields of one protobuf message.
class ProtoWriter {
 public:
  void AddVarint(uint32_t field, uint64_t value) {
    AppendVarint(field << 3);
    AppendVarint(value);
  }
  void AddFloat(uint32_t field, float value) {
    AppendVarint(field << 3 | 5);
    const auto bits = std::bit_cast<uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) {
      bytes_ += static_cast<char>(bits >> shift & 0xFF);
    }
  }
  void AddBytes(uint32_t field, std::string_view value) {
    AppendVarint(field << 3 | 2);
    AppendVarint(value.size());
    bytes_ += value;
  }
  void AddBytes(uint32_t field, const std::optional<std::string>& value) {
    if (value.has_value()) AddBytes(field, std::string_view(*value));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void AppendVarint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
      bytes_ += static_cast<char>(value | 0x80);
    }
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

inline std::string Serialize(const TinyNormalizerSpec& spec) {
  ProtoWriter message;
  message.AddBytes(2, std::string_view(spec.charsmap));
  message.AddVarint(3, spec.add_dummy_prefix);
  message.AddVarint(4, spec.remove_extra_whitespaces);
  message.AddVarint(5, spec.escape_whitespaces);
  return message.bytes();
}

// The bytes of a `.model` file.
inline std::string Serialize(const TinyModel& model) {
  ProtoWriter file;
  for (const auto& [piece, score, type] : model.pieces) {
    ProtoWriter message;
    message.AddBytes(1, std::string_view(piece));
    message.AddFloat(2, score);
    message.AddVarint(3, static_cast<uint64_t>(type));
    file.AddBytes(1, std::string_view(message.bytes()));
  }
  ProtoWriter trainer;
  trainer.AddVarint(3, static_cast<uint64_t>(model.type));
  trainer.AddVarint(24, model.treat_whitespace_as_suffix);
  trainer.AddVarint(35, model.byte_fallback);
  if (model.unk_id.has_value()) {
    trainer.AddVarint(40, static_cast<uint64_t>(int64_t{*model.unk_id}));
  }
  trainer.AddBytes(44, model.unk_surface);
  trainer.AddBytes(45, model.unk_piece);
  trainer.AddBytes(46, model.bos_piece);
  trainer.AddBytes(47, model.eos_piece);
  trainer.AddBytes(48, model.pad_piece);
  file.AddBytes(2, std::string_view(trainer.bytes()));
  if (model.normalizer.has_value()) {
    file.AddBytes(3, std::string_view(Serialize(*model.normalizer)));
  }
  if (model.denormalizer.has_value()) {
    file.AddBytes(5, std::string_view(Serialize(*model.denormalizer)));
  }
  return file.bytes();
}

// The units of a trie as the bytes that a file holds.
inline std::string TrieBytes(std::vector<std::pair<std::string, uint32_t>> map) {
  std::sort(map.begin(), map.end());
  std::vector<TrieEntry> entries;
  for (const auto& [key, value] : map) entries.push_back({key, value});
  const std::vector<uint32_t> units = BuildTrie(entries);
  return {reinterpret_cast<const char*>(units.data()), units.size() * sizeof(uint32_t)};
}

inline std::string CharsmapOf(std::string_view trie, std::string_view replacements) {
  const auto size = static_cast<uint32_t>(trie.size());
  std::string charsmap(reinterpret_cast<const char*>(&size), sizeof(size));
  charsmap += trie;
  charsmap += replacements;
  return charsmap;
}

// The precompiled_charsmap that holds these rules: what stands in a text, what
// it becomes.
inline std::string Charsmap(const std::vector<std::pair<std::string, std::string>>& rules) {
  std::string replacements;
  std::vector<std::pair<std::string, uint32_t>> map;
  for (const auto& [from, to] : rules) {
    map.emplace_back(from, static_cast<uint32_t>(replacements.size()));
    replacements += to + '\0';
  }
  return CharsmapOf(TrieBytes(std::move(map)), replacements);
}

// The converted model; a test that comes here with a model that is refused has
// failed.
inline std::string Convert(const TinyModel& model) {
  StatusOr<std::string> blob = ToFlatbuffer(Serialize(model));
  CHECK_MESSAGE(blob.ok(), std::string(blob.message()));
  return *std::move(blob);
}

// Why a model is not converted; empty when it is.
inline std::string RefusalOf(const TinyModel& model) {
  return std::string(ToFlatbuffer(Serialize(model)).message());
}

// The processor of a model that has to load.
inline SentencePieceLiteProcessor Load(const TinyModel& model) {
  return SentencePieceLiteProcessor(std::make_shared<std::string>(Convert(model)));
}

// ---- What a processor makes of a text, in the form that a test compares. ----

inline std::vector<int> EncodeNormalized(const SentencePieceLiteProcessor& processor,
                                         std::string_view text) {
  std::vector<int> ids;
  CHECK(processor.EncodeNormalized(text, &ids) == StatusCode::kOk);
  return ids;
}

inline std::vector<int> Encode(const SentencePieceLiteProcessor& processor, std::string_view text) {
  std::vector<int> ids;
  CHECK(processor.Encode(text, &ids) == StatusCode::kOk);
  return ids;
}

inline std::string Normalize(const SentencePieceLiteProcessor& processor, std::string_view text) {
  std::string normalized;
  CHECK(processor.Normalize(text, &normalized) == StatusCode::kOk);
  return normalized;
}

inline std::string Decode(const SentencePieceLiteProcessor& processor,
                          const std::vector<int>& ids) {
  std::string text;
  CHECK(processor.Decode(ids, &text) == StatusCode::kOk);
  return text;
}

inline std::string Join(const std::vector<std::string_view>& parts) {
  std::string joined;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) joined += '|';
    joined += parts[i];
  }
  return joined;
}

// The stretches of normalized text, one an id, with bars between.
inline std::string Cut(const SentencePieceLiteProcessor& processor, std::string_view normalized) {
  std::vector<int> ids;
  std::vector<std::string_view> pieces;
  CHECK(processor.EncodeNormalized(normalized, &ids, &pieces) == StatusCode::kOk);
  CHECK(ids.size() == pieces.size());
  return Join(pieces);
}

// The safe cuts of normalized text, with bars between.
inline std::string Chunks(const SentencePieceLiteProcessor& processor,
                          std::string_view normalized) {
  std::vector<std::string_view> chunks;
  CHECK(processor.PretokenizeAtSafeBoundaries(normalized, &chunks) == StatusCode::kOk);
  return Join(chunks);
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TESTS_TINY_MODEL_H_
