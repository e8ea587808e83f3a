// Step 4: ids, and the stretch of text that each one covers.

#ifndef SPMLITE_CORE_EMITTER_H_
#define SPMLITE_CORE_EMITTER_H_

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "model.h"
#include "utf8.h"

namespace sentencepiece::lite {

// Appends the pieces of one text, left to right, to the caller's vectors: an
// unknown piece becomes bytes, or joins the unknown piece before it. Both vectors
// are whole once the emitter is gone.
class Emitter {
 public:
  // `pieces` may be null. `spaces` tells what a space of the text is, once it has
  // to be spelled in bytes.
  Emitter(const Model& model, Spaces spaces, std::vector<int>* ids,
          std::vector<std::string_view>* pieces)
      : model_(model), spaces_(spaces), ids_(ids), pieces_(pieces) {}
  ~Emitter() { ids_->resize(size_); }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  // Makes room for the ids of a chunk; no byte has more than the three of a mark.
  void Reserve(size_t chunk_size) {
    constexpr size_t kCopiedTooMany = 8;
    const size_t needed = size_ + 3 * chunk_size + kCopiedTooMany;
    if (needed > ids_->size()) ids_->resize(std::max(needed, 2 * ids_->size()));
  }

  // `piece` is a view into the text and adjoins the one before.
  void Emit(std::string_view piece, int id) {
    if (id != model_.unknown_id()) {
      after_unknown_ = false;
      Append(piece, id);
    } else if (model_.has_byte_fallback()) {
      EmitBytes(piece);
    } else {
      EmitUnknown(piece, id);
    }
  }

  // The first `count` of `kCopied` ids, none of them unknown: copying a fixed number
  // takes no loop.
  template <size_t kCopied>
  void EmitKnown(const int32_t (&ids)[kCopied], size_t count) {
    std::memcpy(ids_->data() + size_, ids, sizeof(ids));
    size_ += count;
    after_unknown_ = false;
  }

  size_t size() const { return size_; }
  const int* ids() const { return ids_->data(); }
  // How many unknown pieces there were, each of them counted.
  size_t unknown_count() const { return unknown_count_; }

 private:
  void Append(std::string_view piece, int id) {
    (*ids_)[size_++] = id;
    if (pieces_ != nullptr) pieces_->push_back(piece);
  }

  void EmitUnknown(std::string_view piece, int id) {
    ++unknown_count_;
    if (!after_unknown_) {
      Append(piece, id);
    } else if (pieces_ != nullptr) {
      std::string_view& run = pieces_->back();
      run = {run.data(), run.size() + piece.size()};
    }
    after_unknown_ = true;
  }

  // The last byte has the whole piece, the others an empty one before it.
  void EmitBytes(std::string_view piece) {
    const std::string_view bytes = spaces_ == Spaces::kMark && piece == " " ? kSpaceMark : piece;
    for (size_t i = 0; i < bytes.size(); ++i) {
      const std::string_view covered = i + 1 == bytes.size() ? piece : piece.substr(0, 0);
      Append(covered, model_.byte_id(static_cast<unsigned char>(bytes[i])));
    }
  }

  const Model& model_;
  const Spaces spaces_;
  std::vector<int>* ids_;
  std::vector<std::string_view>* pieces_;
  size_t size_ = 0;
  size_t unknown_count_ = 0;
  bool after_unknown_ = false;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_EMITTER_H_
