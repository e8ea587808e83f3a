#include "model.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <string>

#include "checksum.h"
#include "flatbuffers/verifier.h"

namespace sentencepiece::lite {
namespace {

constexpr size_t kAlignment = 8;

StatusCode Fail(std::string* message, StatusCode code, std::string reason) {
  *message = std::move(reason);
  return code;
}

StatusCode Contradiction(std::string* message, std::string reason) {
  return Fail(message, StatusCode::kInternal, "this .spm.fb is damaged: " + std::move(reason));
}

// What a blob that is not a model looks like, for the one who passed it.
std::string_view DescribeForeign(std::string_view blob) {
  const size_t text = blob.find_first_not_of(" \t\r\n");
  if (text != std::string_view::npos && blob[text] == '<') {
    return "it looks like HTML or XML, as of an error page";
  }
  if (blob.starts_with("version https://git-lfs")) {
    return "it is a Git LFS pointer, not the file itself";
  }
  if (text != std::string_view::npos && blob[text] == '{') {
    return "it looks like JSON; convert a tokenizer.json first";
  }
  if (blob[0] == '\x0a') {
    return "it looks like a sentencepiece .model; convert it first";
  }
  return "it was cut off, altered, or is of another kind";
}

char HexDigit(unsigned value) { return "0123456789ABCDEF"[value & 0xF]; }

unsigned HexValue(char digit) {
  return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'A' + 10);
}

}  // namespace

StatusCode Model::Load(std::string_view blob, Checks checks, std::string* message) {
  StatusCode code = CheckFile(blob, checks, message);
  if (code == StatusCode::kOk) code = ReadVectors(message);
  if (code == StatusCode::kOk) code = ReadTries(checks, message);
  if (code == StatusCode::kOk && checks != Checks::kNone) {
    code = CheckPieces(message);
  }
  if (code == StatusCode::kOk) code = ReadTypes(message);
  if (code == StatusCode::kOk) code = ReadBytePieces(message);
  return code;
}

StatusCode Model::CheckFile(std::string_view blob, Checks checks, std::string* message) {
  const auto refuse = [&](std::string reason) {
    return Fail(message, StatusCode::kInvalidArgument, "not a .spm.fb model: " + std::move(reason));
  };
  if (blob.empty()) return refuse("it is empty");
  if (reinterpret_cast<uintptr_t>(blob.data()) % kAlignment != 0) {
    return refuse("the buffer is not aligned to 8 bytes");
  }
  if (blob.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return refuse("it is larger than 2 GiB");
  }
  table_ = GetModelProto(blob.data());
  if (checks == Checks::kNone) return StatusCode::kOk;
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(blob.data()), blob.size());
  if (!verifier.VerifyBuffer<ModelProto>(nullptr)) {
    return refuse(std::string(DescribeForeign(blob)));
  }
  if (checks == Checks::kNoChecksum || !ModelProtoBufferHasIdentifier(blob.data())) {
    return StatusCode::kOk;
  }

  const size_t offset = ChecksumOffset(blob);
  if (offset == 0) return refuse("its checksum is missing");
  if (BlobChecksum(blob, offset) != table_->checksum()) {
    return refuse("its checksum does not match; it was altered after writing");
  }
  return StatusCode::kOk;
}

StatusCode Model::ReadVectors(std::string* message) {
  const auto refuse = [&](std::string reason) { return Contradiction(message, std::move(reason)); };
  type_ = table_->model_type();
  if (type_ < ModelType_UNIGRAM || type_ > ModelType_CHAR) {
    return refuse("model_type " + std::to_string(type_) +
                  " is not one of UNIGRAM, BPE, WORD, CHAR (1 to 4)");
  }
  pieces_ = table_->pieces();
  if (pieces_ == nullptr || pieces_->size() == 0) {
    return refuse("it has no pieces");
  }
  const auto fits = [&](const auto* vector) {
    return vector != nullptr && vector->size() == pieces_->size();
  };
  if (!fits(table_->types())) return refuse("types and pieces differ in length");
  types_ = reinterpret_cast<const int8_t*>(table_->types()->Data());
  if (type_ == ModelType_BPE) {
    if (!fits(table_->int_scores())) {
      return refuse("int_scores and pieces differ in length");
    }
    merge_ranks_ = table_->int_scores()->data();
    if (table_->float_scores() != nullptr || table_->merge_ranks() != nullptr) {
      if (!fits(table_->float_scores()) || !fits(table_->merge_ranks())) {
        return refuse("float_scores, merge_ranks and pieces differ in length");
      }
      scores_ = table_->float_scores()->data();
      merge_ranks_ = table_->merge_ranks()->data();
    }
  } else {
    if (!fits(table_->scores())) {
      return refuse("scores and pieces differ in length");
    }
    scores_ = table_->scores()->data();
  }
  has_direct_mappings_ = table_->has_direct_mappings();
  if (table_->is_direct_mapping() != nullptr) {
    if (!fits(table_->is_direct_mapping())) {
      return refuse("is_direct_mapping and pieces differ in length");
    }
    direct_mappings_ = table_->is_direct_mapping()->data();
  }
  for (const int id : {bos_id(), eos_id(), pad_id(), table_->unk_id()}) {
    if (id < -1 || id >= size()) {
      return refuse("the special id " + std::to_string(id) + " is outside the vocabulary");
    }
  }
  return StatusCode::kOk;
}

StatusCode Model::ReadTries(Checks checks, std::string* message) {
  const bool checked = checks != Checks::kNone;
  const auto attach = [=](const flatbuffers::Vector<uint8_t>* blob, uint32_t value_limit,
                          DoubleArray* trie) {
    return blob == nullptr || blob->size() == 0 ||
           trie->Attach(blob->data(), blob->size(), value_limit, checked);
  };
  const uint32_t limit = pieces_->size();
  if (!attach(table_->pieces_trie_blob(), limit, &pieces_trie_) || pieces_trie_.empty()) {
    return Contradiction(message, "pieces_trie_blob is not a sound trie");
  }
  if (!attach(table_->prefix_matcher_trie_blob(), limit, &user_defined_trie_)) {
    return Contradiction(message, "prefix_matcher_trie_blob is not a sound trie");
  }
  const auto* pairs = table_->char_bigram_trie_blob();
  if (!attach(pairs, pairs == nullptr ? 0 : pairs->size(), &pair_trie_)) {
    return Contradiction(message, "char_bigram_trie_blob is not a sound trie");
  }
  return StatusCode::kOk;
}

StatusCode Model::CheckPieces(std::string* message) const {
  for (int id = 0; id < size(); ++id) {
    const PieceType type = piece_type(id);
    const auto refuse = [&](std::string reason) {
      return Contradiction(message, "piece " + std::to_string(id) + " " + std::move(reason));
    };
    if (type < PieceType_NORMAL || type > PieceType_BYTE) {
      return refuse("has the unknown type " + std::to_string(type));
    }
    if (pieces_->Get(static_cast<uint32_t>(id))->size() > DoubleArray::kMaxKeySize) {
      return refuse("has 8,000 bytes or more");
    }
    if (type_ == ModelType_UNIGRAM && !std::isfinite(scores_[id])) {
      return refuse("has a score that is not finite");
    }
  }
  return StatusCode::kOk;
}

StatusCode Model::ReadTypes(std::string* message) {
  const int8_t* const end = types_ + size();
  const int8_t* const unknown = std::find(types_, end, PieceType_UNKNOWN);
  if (unknown != end) unknown_id_ = static_cast<int>(unknown - types_);
  if (unknown != end && std::find(unknown + 1, end, PieceType_UNKNOWN) != end) {
    return Contradiction(message, "more than one piece is of type UNKNOWN");
  }
  // A published file repeats trainer_spec.unk_id, which need not be the UNKNOWN
  // piece; only its -1 is to be believed.
  unk_id_ = table_->unk_id() < 0 ? -1 : unknown_id_;
  has_unused_ = std::find(types_, end, PieceType_UNUSED) != end;
  if (type_ != ModelType_UNIGRAM) return StatusCode::kOk;
  min_score_ = FLT_MAX;
  for (int id = 0; id < size(); ++id) {
    if (piece_type(id) != PieceType_NORMAL) continue;
    min_score_ = std::min(min_score_, scores_[id]);
  }
  return StatusCode::kOk;
}

StatusCode Model::ReadBytePieces(std::string* message) {
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
  const auto bytes = std::count(types_, types_ + size(), PieceType_BYTE);
  if (found != bytes || (found != 0 && found != 256)) {
    return Contradiction(message, "of " + std::to_string(bytes) + " byte pieces " +
                                      std::to_string(found) +
                                      " are spelled <0x00> to <0xFF>; all of "
                                      "the 256 must be there, or none");
  }
  has_byte_fallback_ = found == 256;
  if (unknown_id_ < 0 && !has_byte_fallback_) {
    return Contradiction(message, "it has neither an UNKNOWN nor byte pieces");
  }
  return StatusCode::kOk;
}

unsigned char Model::byte(int id) const {
  const std::string_view spelled = piece(id);
  return static_cast<unsigned char>(HexValue(spelled[3]) << 4 | HexValue(spelled[4]));
}

std::string_view Model::unk_surface() const {
  const auto* surface = table_->unk_surface();
  if (surface == nullptr) return " \xe2\x81\x87 ";
  return {surface->c_str(), surface->size()};
}

}  // namespace sentencepiece::lite
