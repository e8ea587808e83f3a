// The way back: ids or pieces to text.

#ifndef SPMLITE_CORE_DECODER_H_
#define SPMLITE_CORE_DECODER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model.h"
#include "sentencepiece_lite.h"

namespace sentencepiece::lite {

// The decoding of one sequence. Not for use by two threads at once.
class Decoder {
 public:
  // Appends to `text`. With `spans`, one an added piece: what it gave, in bytes
  // of `text`; of the bytes that spell one character the last has it whole.
  // `strips_leading_mark`, `strips_all_leading_marks`: what the normalizer put
  // before a text (the dummy prefix, or a run of spaces) is taken off again.
  Decoder(const Model& model, bool strips_leading_mark, bool strips_all_leading_marks,
          std::string* text, std::vector<TokenSpan>* spans)
      : model_(model),
        strips_leading_mark_(strips_leading_mark),
        strips_all_leading_marks_(strips_all_leading_marks),
        text_(text),
        spans_(spans) {}

  // `id` must be one of the model's, and `piece` is its piece, or what a caller
  // holds for an unknown one.
  void Add(int id, std::string_view piece);

  // Call once, after the last piece.
  void Finish() { FlushBytes(/*complete=*/true); }

 private:
  void AddVisible(std::string_view piece);
  void AddUnknown(int id, std::string_view piece);
  void FlushBytes(bool complete);
  void AppendCharacter(std::string_view character, size_t byte_count);
  void PushSpan(size_t begin, size_t end);

  const Model& model_;
  const bool strips_leading_mark_;
  const bool strips_all_leading_marks_;
  std::string* text_;
  std::vector<TokenSpan>* spans_;
  std::string bytes_;  // of byte pieces: what may yet become a character
  bool at_start_ = true;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_DECODER_H_
