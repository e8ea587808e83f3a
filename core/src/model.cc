#include "model.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <string>
#include <utility>

#include "checksum.h"
#include "flatbuffers/verifier.h"

namespace sentencepiece::lite {
namespace {

// What a blob that is not a model looks like, for the one who passed it.
std::string DescribeForeign(std::string_view blob) {
  std::string start(blob.substr(0, 24));
  std::replace_if(start.begin(), start.end(), [](char c) { return c < ' ' || c > '~'; }, '.');
  return "it was cut off, altered, or is of a kind that has to be converted; it begins with " +
         start;
}

char HexDigit(unsigned value) { return "0123456789ABCDEF"[value & 0xF]; }

}  // namespace

StatusCode Model::Load(std::string_view blob, Checks checks, std::string* message) {
  std::string fault = CheckFile(blob, checks);
  if (!fault.empty()) {
    *message = "not a .spm.fb model: " + fault;
    return StatusCode::kInvalidArgument;
  }
  fault = ReadVectors();
  if (fault.empty()) fault = ReadTries(checks != Checks::kNone);
  if (fault.empty() && checks != Checks::kNone) fault = CheckPieces();
  if (fault.empty()) fault = ReadTypes();
  if (fault.empty()) fault = ReadBytePieces();
  if (fault.empty()) return StatusCode::kOk;
  *message = "this .spm.fb is damaged: " + fault;
  return StatusCode::kInternal;
}

std::string Model::CheckFile(std::string_view blob, Checks checks) {
  // Its numbers are little-endian, and read where they lie.
  if (std::endian::native == std::endian::big) return "this big-endian machine can read none";
  if (blob.empty()) return "it is empty";
  if (reinterpret_cast<uintptr_t>(blob.data()) % sizeof(uint64_t) != 0) {
    return "the buffer is not aligned to 8 bytes";
  }
  if (blob.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) return "it is larger than 2 GiB";
  blob_end_ = blob.data() + blob.size();
  table_ = GetModelProto(blob.data());
  if (checks == Checks::kNone) return {};
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(blob.data()), blob.size());
  if (!verifier.VerifyBuffer<ModelProto>(nullptr)) return DescribeForeign(blob);
  if (checks == Checks::kNoChecksum) return {};

  // A published file has neither our identifier nor a checksum.
  const size_t offset = ChecksumOffset(blob);
  if (offset == 0 && !ModelProtoBufferHasIdentifier(blob.data())) return {};
  if (offset == 0) return "its checksum is missing";
  if (BlobChecksum(blob, offset) == table_->checksum()) return {};
  return "its checksum does not match; it was altered after writing";
}

std::string Model::ReadVectors() {
  type_ = table_->model_type();
  if (type_ < ModelType_UNIGRAM || type_ > ModelType_CHAR) {
    return "model_type " + std::to_string(type_) +
           " is not one of UNIGRAM, BPE, WORD, CHAR (1 to 4)";
  }
  pieces_ = table_->pieces();
  if (pieces_ == nullptr || pieces_->size() == 0) return "it has no pieces";
  size_ = static_cast<int>(pieces_->size());
  bool fits = true;
  const auto read = [&](const auto* vector) {
    fits &= vector != nullptr && vector->size() == pieces_->size();
    return fits ? vector->data() : nullptr;
  };
  types_ = reinterpret_cast<const int8_t*>(read(table_->types()));
  if (!fits) return "types and pieces differ in length";
  if (type_ != ModelType_BPE) {
    scores_ = read(table_->scores());
    if (!fits) return "scores and pieces differ in length";
  } else if (table_->float_scores() == nullptr && table_->merge_ranks() == nullptr) {
    merge_ranks_ = read(table_->int_scores());
    if (!fits) return "int_scores and pieces differ in length";
  } else {
    scores_ = read(table_->float_scores());
    merge_ranks_ = read(table_->merge_ranks());
    if (!fits) return "float_scores, merge_ranks and pieces differ in length";
  }
  has_direct_mappings_ = table_->has_direct_mappings();
  if (table_->is_direct_mapping() != nullptr) direct_mappings_ = read(table_->is_direct_mapping());
  if (!fits) return "is_direct_mapping and pieces differ in length";
  bos_id_ = table_->bos_id();
  eos_id_ = table_->eos_id();
  pad_id_ = table_->pad_id();
  for (const int id : {bos_id_, eos_id_, pad_id_, table_->unk_id()}) {
    if (id != -1 && !Has(id)) {
      return "the special id " + std::to_string(id) + " is outside the vocabulary";
    }
  }
  return {};
}

std::string Model::ReadTries(bool checked) {
  const auto attach = [=](const auto* blob, uint32_t value_limit, DoubleArray* trie) {
    return blob == nullptr || blob->size() == 0 ||
           trie->Attach(blob->data(), blob->size(), value_limit, checked);
  };
  const uint32_t limit = pieces_->size();
  if (!attach(table_->pieces_trie_blob(), limit, &pieces_trie_) || pieces_trie_.empty()) {
    return "pieces_trie_blob is not a sound trie";
  }
  if (!attach(table_->prefix_matcher_trie_blob(), limit, &user_defined_trie_)) {
    return "prefix_matcher_trie_blob is not a sound trie";
  }
  const auto* pairs = table_->char_bigram_trie_blob();
  if (!attach(pairs, pairs == nullptr ? 0 : pairs->size(), &pair_trie_)) {
    return "char_bigram_trie_blob is not a sound trie";
  }
  const auto* filter = table_->pair_filter();
  if (filter == nullptr) return {};
  if (!std::has_single_bit(filter->size())) return "the length of pair_filter is no power of two";
  pair_filter_ = PairFilter(filter->data(), filter->size());
  return {};
}

std::string Model::CheckPieces() const {
  for (int id = 0; id < size_; ++id) {
    const PieceType type = piece_type(id);
    const auto name = [=] { return "piece " + std::to_string(id); };
    if (type < PieceType_NORMAL || type > PieceType_BYTE) {
      return name() + " has the unknown type " + std::to_string(type);
    }
    if (piece(id).size() > DoubleArray::kMaxKeySize) return name() + " has 8,000 bytes or more";
    if (type_ == ModelType_UNIGRAM && !std::isfinite(scores_[id])) {
      return name() + " has a score that is not finite";
    }
  }
  return {};
}

std::string Model::ReadTypes() {
  const std::string_view types(reinterpret_cast<const char*>(types_), static_cast<size_t>(size_));
  const size_t unknown = types.find(PieceType_UNKNOWN);
  if (unknown != types.npos) {
    unknown_id_ = static_cast<int>(unknown);
    const bool is_alone = types.find(PieceType_UNKNOWN, unknown + 1) == types.npos;
    if (!is_alone) return "more than one piece is of type UNKNOWN";
  }
  // A published file repeats trainer_spec.unk_id, which need not be the UNKNOWN
  // piece; only its -1 is to be believed.
  unk_id_ = table_->unk_id() < 0 ? -1 : unknown_id_;
  has_unused_ = types.find(PieceType_UNUSED) != types.npos;
  if (type_ != ModelType_UNIGRAM) return {};
  min_score_ = FLT_MAX;
  for (int id = 0; id < size_; ++id) {
    if (piece_type(id) != PieceType_NORMAL) continue;
    min_score_ = std::min(min_score_, scores_[id]);
    largest_score_ = std::max(largest_score_, std::abs(scores_[id]));
  }
  largest_score_ = std::max(largest_score_, std::abs(min_score_ - kUnknownPenalty));
  return {};
}

std::string Model::ReadBytePieces() {
  byte_ids_.fill(-1);
  int found = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char digits[] = {'<', '0', 'x', HexDigit(byte >> 4), HexDigit(byte), '>'};
    const std::string_view spelled(digits, sizeof(digits));
    const int id = pieces_trie_.Find(spelled);
    if (id < 0 || piece_type(id) != PieceType_BYTE || piece(id) != spelled) continue;
    byte_ids_[byte] = id;
    ++found;
  }
  const auto bytes = std::count(types_, types_ + size_, PieceType_BYTE);
  if (found != bytes || (found != 0 && found != 256)) {
    return "of " + std::to_string(bytes) + " byte pieces " + std::to_string(found) +
           " are spelled <0x00> to <0xFF>; all of the 256 must be there, or none";
  }
  has_byte_fallback_ = found == 256;
  if (unknown_id_ >= 0 || has_byte_fallback_) return {};
  return "it has neither an UNKNOWN nor byte pieces";
}

std::string_view Model::unk_surface() const {
  const auto* surface = table_->unk_surface();
  if (surface == nullptr) return " \xe2\x81\x87 ";
  return {surface->c_str(), surface->size()};
}

}  // namespace sentencepiece::lite
