// Step 0: the blob, checked once, then read in place.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "double_array.h"
#include "pair_filter.h"
#include "sentencepiece_lite.h"
#include "sentencepiece_lite_generated.h"
#include "utf8.h"

namespace sentencepiece::lite {

// The tables of the blob, as views. Load checks all that the steps later rely
// on; nothing else here can fail. Const members may be called from any thread.
class Model {
 public:
  // On failure `message` says in one sentence what is wrong and where.
  StatusCode Load(std::string_view blob, Checks checks, std::string* message);

  ModelType type() const { return type_; }
  int size() const { return size_; }
  bool Has(int id) const { return id >= 0 && id < size(); }

  std::string_view piece(int id) const {
    const auto* piece = pieces_->Get(static_cast<uint32_t>(id));
    return {piece->c_str(), piece->size()};
  }
  // Whether so many bytes of a piece can be read, beyond its end as well.
  bool CanRead(const char* piece, int size) const { return blob_end_ - piece >= size; }
  PieceType piece_type(int id) const { return static_cast<PieceType>(types_[id]); }
  float score(int id) const {
    return scores_ != nullptr ? scores_[id] : static_cast<float>(merge_ranks_[id]);
  }
  // BPE: the larger merges first.
  int32_t merge_rank(int id) const { return merge_ranks_[id]; }

  // Whether a text can contain the piece: NORMAL and USER_DEFINED are visible.
  bool IsVisible(int id) const {
    const PieceType type = piece_type(id);
    return type == PieceType_NORMAL || type == PieceType_USER_DEFINED;
  }
  // The id of a piece that a text can contain, or else the unknown id.
  int VisibleId(std::string_view piece) const {
    const int32_t id = pieces_trie_.Find(piece);
    return id != DoubleArray::kNoValue && IsVisible(id) ? id : unknown_id_;
  }
  // Whether two symbols may merge into the piece; UNUSED ones come apart later.
  bool IsMergeable(int id) const { return IsVisible(id) || piece_type(id) == PieceType_UNUSED; }
  // Whether the BPE of the piece alone is the piece itself.
  bool IsDirectMapping(int id) const {
    return has_direct_mappings_ && (direct_mappings_ == nullptr || direct_mappings_[id] != 0) &&
           IsVisible(id);
  }

  // The id of the UNKNOWN piece, -1 where there is none: what the encoders use.
  int unknown_id() const { return unknown_id_; }
  // The ids that callers are told.
  int unk_id() const { return unk_id_; }
  int bos_id() const { return bos_id_; }
  int eos_id() const { return eos_id_; }
  int pad_id() const { return pad_id_; }

  bool has_byte_fallback() const { return has_byte_fallback_; }
  int byte_id(unsigned char byte) const { return byte_ids_[byte]; }
  // The byte that a BYTE piece, spelled <0xHH>, stands for.
  unsigned char byte(int id) const {
    return static_cast<unsigned char>(std::find(byte_ids_.begin(), byte_ids_.end(), id) -
                                      byte_ids_.begin());
  }

  bool has_unused() const { return has_unused_; }
  // The product is formed in double and rounded once, as in the oracle.
  static float UserDefinedScore(size_t length) {
    return static_cast<float>(0.1 * (static_cast<int>(length) - 1));
  }

  // Unigram: what a piece, or an unknown character, adds to a path. A user-defined
  // one is worth more than any other way to spell it.
  float UnigramScore(int id) const {
    if (id == unknown_id_) return min_score_ - kUnknownPenalty;
    return piece_type(id) == PieceType_USER_DEFINED ? UserDefinedScore(piece(id).size())
                                                    : scores_[id];
  }
  // Unigram: no score is farther from 0, that of an unknown character included.
  float largest_score() const { return largest_score_; }
  std::string_view unk_surface() const;

  // Null where the model has none; a missing normalizer_spec means the defaults
  // of sentencepiece_model.proto, which are those of NormalizerFlags.
  const NormalizerSpec* normalizer_spec() const { return table_->normalizer_spec(); }
  const NormalizerSpec* denormalizer_spec() const { return table_->denormalizer_spec(); }

  // Every piece -> id; USER_DEFINED pieces -> id; pairs of neighbouring characters
  // -> the node of the second one. The last two may be empty.
  const DoubleArray& pieces_trie() const { return pieces_trie_; }
  const DoubleArray& user_defined_trie() const { return user_defined_trie_; }
  const DoubleArray& pair_trie() const { return pair_trie_; }
  // Ours alone, for the same question; may be empty.
  const PairFilter& pair_filter() const { return pair_filter_; }

 private:
  // kUnkPenalty of the oracle's unigram_model.cc.
  static constexpr float kUnknownPenalty = 10.0f;

  // Each returns what is wrong, or nothing.
  std::string CheckFile(std::string_view blob, Checks checks);
  std::string ReadVectors();
  std::string ReadTries(bool checked);
  std::string CheckPieces() const;
  std::string ReadTypes();
  std::string ReadBytePieces();

  const char* blob_end_ = nullptr;
  const ModelProto* table_ = nullptr;
  const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>* pieces_ = nullptr;
  const int8_t* types_ = nullptr;
  const float* scores_ = nullptr;
  const int32_t* merge_ranks_ = nullptr;
  const uint8_t* direct_mappings_ = nullptr;
  DoubleArray pieces_trie_;
  DoubleArray user_defined_trie_{64};  // kResultSize of sentencepiece's PrefixMatcher
  DoubleArray pair_trie_;
  PairFilter pair_filter_;
  ModelType type_ = ModelType_UNIGRAM;
  int unknown_id_ = -1;
  int unk_id_ = -1;
  int bos_id_ = -1;
  int eos_id_ = -1;
  int pad_id_ = -1;
  int size_ = 0;
  float min_score_ = 0;  // of the NORMAL pieces
  float largest_score_ = 0;
  bool has_direct_mappings_ = false;
  bool has_byte_fallback_ = false;
  bool has_unused_ = false;
  std::array<int32_t, 256> byte_ids_{};
};

}  // namespace sentencepiece::lite
