// Step 3, CHAR: user-defined pieces, and for the rest single characters.

#ifndef SPMLITE_CORE_CHARACTER_H_
#define SPMLITE_CORE_CHARACTER_H_

#include <cstddef>
#include <string_view>

#include "emitter.h"
#include "model.h"
#include "utf8.h"

namespace sentencepiece::lite {

class CharacterEncoder {
 public:
  explicit CharacterEncoder(const Model& model) : model_(model) {}

  void Encode(std::string_view text, Emitter* emitter) {
    while (!text.empty()) {
      size_t length = model_.user_defined_trie().LongestPrefix(text).length;
      if (length == 0) length = CharacterLength(text);
      const std::string_view piece = text.substr(0, length);
      emitter->Emit(piece, model_.VisibleId(piece));
      text.remove_prefix(length);
    }
  }

 private:
  const Model& model_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_CHARACTER_H_
