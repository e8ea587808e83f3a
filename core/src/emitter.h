// Step 4: ids, and the stretch of normalized text that each one covers.

#ifndef SPMLITE_CORE_EMITTER_H_
#define SPMLITE_CORE_EMITTER_H_

#include <string_view>
#include <vector>

#include "model.h"

namespace sentencepiece::lite {

// Appends the pieces of one text, left to right, to the caller's vectors: an
// unknown piece becomes bytes, or joins the unknown piece before it.
class Emitter {
 public:
  // `pieces` may be null.
  Emitter(const Model& model, std::vector<int>* ids, std::vector<std::string_view>* pieces)
      : model_(model), ids_(ids), pieces_(pieces) {}

  // `piece` is a view into the normalized text and adjoins the one before.
  void Emit(std::string_view piece, int id) {
    if (id != model_.unknown_id()) {
      after_unknown_ = false;
      Append(piece, id);
    } else if (model_.has_byte_fallback()) {
      EmitBytes(piece);
    } else if (!after_unknown_) {
      after_unknown_ = true;
      Append(piece, id);
    } else if (pieces_ != nullptr) {
      std::string_view& run = pieces_->back();
      run = {run.data(), run.size() + piece.size()};
    }
  }

 private:
  void Append(std::string_view piece, int id) {
    ids_->push_back(id);
    if (pieces_ != nullptr) pieces_->push_back(piece);
  }

  // The last byte has the whole piece, the others an empty one before it.
  void EmitBytes(std::string_view piece) {
    for (size_t i = 0; i < piece.size(); ++i) {
      const bool last = i + 1 == piece.size();
      Append(last ? piece : piece.substr(0, 0),
             model_.byte_id(static_cast<unsigned char>(piece[i])));
    }
  }

  const Model& model_;
  std::vector<int>* ids_;
  std::vector<std::string_view>* pieces_;
  bool after_unknown_ = false;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_EMITTER_H_
