// Step 4: ids, and the stretch of text that each one covers.

#pragma once

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
      : model_(model), spaces_(spaces), vector_(ids), pieces_(pieces) {}
  ~Emitter() { vector_->resize(size_); }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  // Makes room for so many ids.
  void Reserve(size_t count) {
    if (room_ - size_ >= count) return;
    room_ = std::max(size_ + count, 2 * room_);
    vector_->resize(room_);
    ids_ = vector_->data();
  }
  // Makes room for the ids of a chunk; no byte has more than the three of a mark.
  void ReserveChunk(size_t size) { Reserve(3 * size); }

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

  // Where the next id goes. Ids that are written there up to `end`, none of
  // them unknown, are taken over.
  int* end() { return ids_ + size_; }
  size_t room() const { return room_ - size_; }
  void TakeUntil(int* end) {
    if (end == this->end()) return;
    size_ = static_cast<size_t>(end - ids_);
    after_unknown_ = false;
  }

  size_t size() const { return size_; }
  const int* ids() const { return ids_; }
  // How many unknown pieces there were, each of them counted.
  size_t unknown_count() const { return unknown_count_; }

 private:
  void Append(std::string_view piece, int id) {
    ids_[size_++] = id;
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
  std::vector<int>* vector_;
  std::vector<std::string_view>* pieces_;
  int* ids_ = nullptr;
  size_t size_ = 0;
  size_t room_ = 0;
  size_t unknown_count_ = 0;
  bool after_unknown_ = false;
};

}  // namespace sentencepiece::lite
