// Step 3, WORD: each space mark begins a word, and a word is a piece or
// unknown.

#ifndef SPMLITE_CORE_WORD_H_
#define SPMLITE_CORE_WORD_H_

#include <string_view>

#include "emitter.h"
#include "model.h"
#include "utf8.h"

namespace sentencepiece::lite {

class WordEncoder {
 public:
  explicit WordEncoder(const Model& model) : model_(model) {}

  void Encode(std::string_view text, Emitter* emitter) {
    while (!text.empty()) {
      const std::string_view word = text.substr(0, text.find(kSpaceMark, 1));
      emitter->Emit(word, model_.VisibleId(word));
      text.remove_prefix(word.size());
    }
  }

 private:
  const Model& model_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_WORD_H_
