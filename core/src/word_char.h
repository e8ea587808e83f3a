// Step 3, WORD: each space mark begins a word, and a word is a piece or
// unknown.

#pragma once

#include <cstddef>
#include <string_view>

#include "emitter.h"
#include "model.h"
#include "utf8.h"

namespace sentencepiece::lite {

class WordOrCharEncoder {
 public:
  explicit WordOrCharEncoder(const Model& model) : model_(model) {}

  bool Encode(std::string_view text, Emitter* emitter) {
    while (!text.empty()) {
      const std::string_view piece = text.substr(0, PieceLength(text));
      emitter->Emit(piece, model_.VisibleId(piece));
      text.remove_prefix(piece.size());
    }
    return false;
  }

 private:
  size_t PieceLength(std::string_view text) const {
    if (model_.type() == ModelType_WORD) return text.find(kSpaceMark, 1);
    const size_t length = model_.user_defined_trie().LongestPrefix(text).length;
    return length > 0 ? length : CharacterLength(text);
  }

  const Model& model_;
};

}  // namespace sentencepiece::lite
