#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "character_pairs.h"
#include "checksum.h"
#include "direct_mappings.h"
#include "flatbuffers/flatbuffers.h"
#include "model_proto.h"
#include "model_to_flatbuffer.h"
#include "number_sort.h"
#include "pair_filter_builder.h"
#include "pipeline.h"
#include "sentencepiece_lite_generated.h"
#include "sentencepiece_model_converters.h"
#include "sorted_entries.h"
#include "spm_text.h"
#include "trie_builder.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// Thirteen times XLM-R. A piece takes at least 5 bytes here and 25 in the result:
// with tries of at most kMaxTrieUnits that stays below FlatBuffers' 2 GiB.
constexpr size_t kMaxModelSize = size_t{1} << 26;
// The oracle refuses pieces of this size (kMaxPieceSize of its model_interface.cc).
constexpr size_t kMaxPieceSize = 8000;
constexpr std::string_view kNulPiece("\0", 1);

bool IsUnusedNul(const SerializedPiece& piece) {
  return piece.piece == kNulPiece && piece.type == PieceType_UNUSED;
}

// Whether the oracle looks for the piece in a text.
bool IsText(const SerializedPiece& piece) {
  const PieceType type = piece.type;
  return type == PieceType_NORMAL || type == PieceType_USER_DEFINED ||
         (type == PieceType_UNUSED && !IsUnusedNul(piece));
}

// A piece for a message, with its text where that can be shown.
std::string Name(const SerializedModel& model, size_t id) {
  constexpr size_t kMaxShown = 100;
  const std::string_view piece = model.pieces[id].piece;
  const bool has_controls =
      std::any_of(piece.begin(), piece.end(), [](unsigned char c) { return c < ' '; });
  std::string name = "piece " + std::to_string(id);
  const bool can_be_shown =
      !piece.empty() && piece.size() <= kMaxShown && !has_controls && IsWellFormed(piece);
  if (!can_be_shown) return name;
  return name.append(" (").append(piece).append(")");
}

// What is wrong with a piece by itself; empty when nothing is.
[[gnu::noinline]] std::string_view FindFault(const SerializedPiece& piece,
                                             const SerializedTrainerSpec& spec) {
  const std::string_view text = piece.piece;
  if (text.empty()) return " is empty";
  if (text.size() >= kMaxPieceSize) return " has 8,000 bytes or more";
  if (text.find('\0') != std::string_view::npos && !IsUnusedNul(piece)) {
    return " holds a NUL byte, which may only stand alone, with byte_fallback";
  }
  if (spec.model_type == ModelType_UNIGRAM && !std::isfinite(piece.score)) {
    return " has a score that is NaN or infinite";
  }
  if (piece.type != PieceType_BYTE) return {};
  if (!spec.byte_fallback) {
    return " is of type BYTE, but trainer_spec.byte_fallback is false";
  }
  const bool spells_byte = text.size() == 6 && text.starts_with("<0x") && text[5] == '>' &&
                           text.find_first_not_of("0123456789ABCDEF", 3) == 5;
  return spells_byte ? "" : " is of type BYTE, but not spelled as <0x0A> is";
}

size_t CountType(const SerializedModel& model, PieceType type) {
  return static_cast<size_t>(
      std::count_if(model.pieces.begin(), model.pieces.end(),
                    [type](const SerializedPiece& piece) { return piece.type == type; }));
}

// Every piece that a text can hold, sorted, with its id.
std::vector<TrieEntry> SortedPieces(const SerializedModel& model) {
  std::vector<TrieEntry> entries;
  entries.reserve(model.pieces.size());
  for (uint32_t id = 0; id < model.pieces.size(); ++id) {
    if (IsUnusedNul(model.pieces[id])) continue;
    entries.push_back({model.pieces[id].piece, id});
  }
  return SortedEntries(entries);
}

// Why the oracle would not load the model, in one sentence, or nothing.
std::string FindFault(const SerializedModel& model, const std::vector<TrieEntry>& sorted) {
  for (size_t id = 0; id < model.pieces.size(); ++id) {
    const auto fault = FindFault(model.pieces[id], model.trainer_spec);
    if (!fault.empty()) return Name(model, id).append(fault);
  }
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].key != sorted[i - 1].key) continue;
    const auto [one, other] = std::minmax(sorted[i - 1].value, sorted[i].value);
    return Name(model, other) + " is the same as piece " + std::to_string(one);
  }
  const bool byte_fallback = model.trainer_spec.byte_fallback;
  const size_t unknowns = CountType(model, PieceType_UNKNOWN);
  if (unknowns > 1 || (unknowns == 0 && !byte_fallback)) {
    return std::to_string(unknowns) +
           " pieces are of type UNKNOWN; a model has one (or none, with "
           "byte_fallback)";
  }
  if (model.trainer_spec.model_type == ModelType_UNIGRAM &&
      std::none_of(model.pieces.begin(), model.pieces.end(), IsText)) {
    return "no piece is of type NORMAL, USER_DEFINED or UNUSED (a NUL does not count)";
  }
  const size_t bytes = CountType(model, PieceType_BYTE);
  if (byte_fallback && bytes != 256) {
    return "byte_fallback needs 256 pieces of type BYTE, but " + std::to_string(bytes) +
           " are there";
  }
  return {};
}

// A score cut toward zero, as int_scores hold it; NaN is 0.
int32_t CutToInteger(float score) {
  constexpr float kLimit = 2147483648.0f;
  if (std::isnan(score)) return 0;
  if (score >= kLimit) return std::numeric_limits<int32_t>::max();
  if (score <= -kLimit) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(score);
}

// Orders scores as the oracle does, which compares their bits
// (SymbolPairComparator of its bpe_model.cc): -0 is below +0.
int32_t MergeOrder(float score) {
  const auto bits = std::bit_cast<int32_t>(score);
  return bits < 0 ? bits ^ std::numeric_limits<int32_t>::max() : bits;
}

// By id: the place of its score among all scores.
std::vector<int32_t> MergeRanks(const std::vector<float>& scores) {
  std::vector<Numbered> sorted;
  sorted.reserve(scores.size());
  for (uint32_t id = 0; id < scores.size(); ++id) {
    // Without a sign, in the same order.
    const auto order = static_cast<uint32_t>(MergeOrder(scores[id])) ^ 0x80000000u;
    sorted.push_back({order, id});
  }
  SortByNumber(sorted);
  std::vector<int32_t> ranks(scores.size());
  int32_t rank = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    rank += i > 0 && sorted[i].number != sorted[i - 1].number;
    ranks[sorted[i].value] = rank;
  }
  return ranks;
}

// Whether int_scores say all that the merges need. They take -0 and +0 for a tie,
// so the pieces that merges make may have only one of them.
bool IntegersSuffice(const SerializedModel& model) {
  bool zeros[2] = {};
  for (const auto& [piece, score, type] : model.pieces) {
    if (score != static_cast<float>(CutToInteger(score))) return false;
    if (type == PieceType_NORMAL || type == PieceType_UNUSED) {
      zeros[std::signbit(score)] |= score == 0;
    }
  }
  return !zeros[0] || !zeros[1];
}

// Writes the table of a model. Empty vectors and tries are left out, as the
// published converter leaves them out.
class TableWriter {
 public:
  TableWriter(const SerializedModel& model, const std::vector<TrieEntry>& sorted)
      : model_(model), sorted_(sorted), pieces_trie_(BuildTrie(sorted)) {
    for (const SerializedPiece& piece : model.pieces) {
      scores_.push_back(piece.score);
      types_.push_back(piece.type);
    }
    std::vector<TrieEntry> user_defined;
    for (const TrieEntry& entry : sorted) {
      if (types_[entry.value] == PieceType_USER_DEFINED) user_defined.push_back(entry);
    }
    user_defined_trie_ = BuildTrie(user_defined);
    BuildPairs();
  }

  // The checksum is not filled in.
  std::string Write(const DirectMappings& direct_mappings) {
    builder_.Clear();
    builder_.ForceDefaults(true);  // the checksum needs its place
    const SerializedTrainerSpec& spec = model_.trainer_spec;
    const bool is_bpe = spec.model_type == ModelType_BPE;
    const bool is_exact = !is_bpe || IntegersSuffice(model_);
    const auto pieces = Pieces();
    const auto scores = is_bpe ? 0 : Vector(scores_);
    const auto int_scores = is_bpe ? IntScores() : 0;
    const auto types = Vector(types_);
    const auto unk_surface = Text(spec.unk_surface);
    const auto normalizer = Spec(model_.normalizer_spec, spec.treat_whitespace_as_suffix);
    const auto pieces_trie = Trie(pieces_trie_);
    const auto user_defined_trie = Trie(user_defined_trie_);
    const auto bigram_trie = Trie(bigram_trie_);
    const auto flags = Vector(direct_mappings.flags);
    const auto pair_filter = Vector(pair_filter_);
    const auto float_scores = is_exact ? 0 : Vector(scores_);
    const auto merge_ranks = is_exact ? 0 : Vector(MergeRanks(scores_));
    const auto denormalizer = model_.denormalizer_spec.precompiled_charsmap.empty()
                                  ? 0
                                  : Spec(model_.denormalizer_spec, false);
    FinishModelProtoBuffer(
        builder_, CreateModelProto(builder_, pieces, scores, int_scores, types, UnkId(),
                                   unk_surface, spec.model_type, normalizer, pieces_trie,
                                   user_defined_trie, bigram_trie, direct_mappings.has_any, flags,
                                   ControlId(spec.bos_piece, SerializedTrainerSpec().bos_piece),
                                   ControlId(spec.eos_piece, SerializedTrainerSpec().eos_piece),
                                   ControlId(spec.pad_piece, SerializedTrainerSpec().pad_piece),
                                   float_scores, merge_ranks, denormalizer,
                                   /*checksum=*/0, pair_filter));
    return {reinterpret_cast<const char*>(builder_.GetBufferPointer()), builder_.GetSize()};
  }

 private:
  template <typename T>
  using Offset = flatbuffers::Offset<T>;

  // The filter is of the pieces that a text can contain, the trie of all.
  void BuildPairs() {
    CharacterPairs pairs;
    const auto add = [&](bool are_of_texts) {
      for (const auto& [piece, score, type] : model_.pieces) {
        const bool is_of_texts =
            type != PieceType_CONTROL && type != PieceType_UNKNOWN && type != PieceType_BYTE;
        if (is_of_texts == are_of_texts) pairs.AddPiece(piece);
      }
    };
    add(true);
    pair_filter_ = BuildPairFilter(pairs.pairs());
    add(false);
    bigram_trie_ = BuildBigramTrie(pairs);
  }

  Offset<flatbuffers::String> Text(std::string_view text) {
    return builder_.CreateString(text.data(), text.size());
  }

  template <typename T>
  Offset<flatbuffers::Vector<T>> Vector(const std::vector<T>& values) {
    return values.empty() ? 0 : builder_.CreateVector(values);
  }

  Offset<flatbuffers::Vector<Offset<flatbuffers::String>>> Pieces() {
    std::vector<Offset<flatbuffers::String>> texts;
    for (const SerializedPiece& piece : model_.pieces) {
      texts.push_back(Text(piece.piece));
    }
    return builder_.CreateVector(texts);
  }

  Offset<flatbuffers::Vector<int32_t>> IntScores() {
    std::vector<int32_t> integers(scores_.size());
    std::transform(scores_.begin(), scores_.end(), integers.begin(), CutToInteger);
    return Vector(integers);
  }

  // Aligned as the schema's force_align wants, so that units are read in place.
  Offset<flatbuffers::Vector<uint8_t>> Bytes(const void* bytes, size_t size) {
    if (size == 0) return 0;
    builder_.ForceVectorAlignment(size, sizeof(uint8_t), sizeof(uint64_t));
    return builder_.CreateVector(static_cast<const uint8_t*>(bytes), size);
  }

  Offset<flatbuffers::Vector<uint8_t>> Trie(const std::vector<uint32_t>& trie) {
    return Bytes(trie.data(), trie.size() * sizeof(uint32_t));
  }

  Offset<NormalizerSpec> Spec(const SerializedNormalizerSpec& spec,
                              bool treat_whitespace_as_suffix) {
    const auto name = spec.name.empty() ? 0 : Text(spec.name);
    const auto charsmap = Bytes(spec.precompiled_charsmap.data(), spec.precompiled_charsmap.size());
    return CreateNormalizerSpec(builder_, name, charsmap, spec.add_dummy_prefix,
                                spec.remove_extra_whitespaces, spec.escape_whitespaces,
                                treat_whitespace_as_suffix);
  }

  // The id of a piece, or -1.
  int Find(std::string_view name) const {
    const auto found = std::lower_bound(
        sorted_.begin(), sorted_.end(), name,
        [](const TrieEntry& entry, std::string_view key) { return entry.key < key; });
    const bool is_there = found != sorted_.end() && found->key == name;
    return is_there ? static_cast<int>(found->value) : -1;
  }

  int ControlId(std::string_view name, std::string_view usual) const {
    const int id = Find(name.empty() ? usual : name);
    return id >= 0 && types_[id] == PieceType_CONTROL ? id : -1;
  }

  // As the oracle's Load: a name that is no piece finds the UNKNOWN piece, that of
  // a piece of another type finds nothing.
  int UnkId() const {
    const std::string_view name = model_.trainer_spec.unk_piece;
    const int id = Find(name.empty() ? SerializedTrainerSpec().unk_piece : name);
    if (id >= 0) return types_[id] == PieceType_UNKNOWN ? id : -1;
    const auto unknown = std::find(types_.begin(), types_.end(), PieceType_UNKNOWN);
    if (unknown == types_.end()) return -1;
    return static_cast<int>(unknown - types_.begin());
  }

  const SerializedModel& model_;
  const std::vector<TrieEntry>& sorted_;
  const std::vector<uint32_t> pieces_trie_;
  std::vector<uint32_t> bigram_trie_;
  std::vector<uint32_t> user_defined_trie_;
  std::vector<uint64_t> pair_filter_;
  std::vector<float> scores_;
  std::vector<int8_t> types_;
  flatbuffers::FlatBufferBuilder builder_;
};

// Says in the table itself that every piece encodes to itself.
void SetDirectMappings(std::string* blob) {
  auto* table = flatbuffers::GetMutableRoot<flatbuffers::Table>(blob->data());
  table->SetField<uint8_t>(ModelProto::VT_HAS_DIRECT_MAPPINGS, 1, 0);
}

void SetChecksum(std::string* blob) {
  const size_t offset = ChecksumOffset(*blob);
  flatbuffers::WriteScalar(blob->data() + offset, BlobChecksum(*blob, offset));
}

StatusOr<std::string> Refuse(std::string_view reason) {
  return {StatusCode::kInvalidArgument, std::string(reason)};
}

}  // namespace

StatusOr<std::string> ModelToFlatbuffer(std::string_view serialized_model) {
  if (std::endian::native == std::endian::big) {
    return Refuse(
        "a .spm.fb is little-endian: this big-endian machine can neither make nor read it");
  }
  if (serialized_model.size() > kMaxModelSize) {
    return Refuse("the model has more than 64 MiB");
  }
  StatusOr<SerializedModel> read = ReadModelProto(serialized_model);
  if (!read.ok()) return Refuse(read.message());
  SerializedModel& model = *read;
  // As the oracle's Load.
  for (SerializedPiece& piece : model.pieces) {
    if (piece.piece == kNulPiece && model.trainer_spec.byte_fallback) {
      piece.type = PieceType_UNUSED;
    }
  }
  const std::vector<TrieEntry> sorted = SortedPieces(model);
  const std::string fault = FindFault(model, sorted);
  if (!fault.empty()) return Refuse(fault);

  TableWriter writer(model, sorted);
  std::string blob = writer.Write({});
  Pipeline pipeline;
  std::string message;
  if (pipeline.Load(blob, Checks::kNoChecksum, &message) != StatusCode::kOk) {
    return Refuse(message);
  }
  if (model.trainer_spec.model_type == ModelType_BPE) {
    const DirectMappings found = FindDirectMappings(sorted, pipeline.model);
    if (!found.flags.empty()) blob = writer.Write(found);
    if (found.has_any && found.flags.empty()) SetDirectMappings(&blob);
  }
  SetChecksum(&blob);
  return blob;
}

StatusOr<std::string> ToFlatbuffer(std::string_view serialized_model) {
  if (!IsSpmText(serialized_model)) return ModelToFlatbuffer(serialized_model);
  const StatusOr<std::string> model = SpmTextToModel(serialized_model);
  if (!model.ok()) return Refuse(model.message());
  return ModelToFlatbuffer(*model);
}

}  // namespace sentencepiece::lite
