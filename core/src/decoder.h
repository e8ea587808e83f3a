// The way back: ids or pieces to text.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "model.h"
#include "sentencepiece_lite.h"
#include "simd.h"
#include "utf8.h"

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
  void Add(int id, std::string_view piece) {
    const PieceType type = model_.Has(id) ? model_.piece_type(id) : PieceType_UNKNOWN;
    if (type == PieceType_BYTE) {
      bytes_.push_back(static_cast<char>(model_.byte(id)));
      FlushBytes(/*complete=*/false);
      return;
    }
    FlushBytes(/*complete=*/true);
    const size_t begin = text_->size();
    if (type == PieceType_UNKNOWN) {
      const bool is_unknown_piece = model_.Has(id) && model_.piece(id) == piece;
      text_->append(is_unknown_piece ? model_.unk_surface() : piece);
    } else if (type != PieceType_CONTROL) {
      AddVisible(piece);
    }
    if (text_->size() > begin) at_start_ = false;
    PushSpan(begin, text_->size());
  }

  // Adds the pieces of `ids`, all of them the model's, up to the first that is not plain
  // text after plain text; how many they were.
  size_t AddPlain(Span<const int> ids) {
    if (at_start_ || !bytes_.empty() || spans_ != nullptr) return 0;
    const size_t before = text_->size();
    const size_t most = std::min(ids.size(), kMostPlain);
    text_->resize(before + most * (1 + kPlainSize));  // a space, and what is copied
    char* end = text_->data() + before;
    size_t count = 0;
    for (; count < most; ++count) {
      const std::string_view piece = model_.piece(ids[count]);
      if (!model_.IsVisible(ids[count]) || !model_.CanRead(piece.data(), kPlainSize + 4)) break;
      // Without a branch, since every other piece has a mark in front.
      const size_t has_mark = CharacterWord(piece.data(), kSpaceMark.size()) == kSpaceMarkWord;
      const char* const rest = piece.data() + has_mark * kSpaceMark.size();
      const size_t size = piece.size() - has_mark * kSpaceMark.size();
      // The first byte of a mark, no matter of which character.
      if (LeadingBytes(rest, 0xE3, 0xFF) < size) break;
      *end = ' ';
      std::memcpy(end + has_mark, rest, kPlainSize);
      end += has_mark + size;
    }
    text_->resize(static_cast<size_t>(end - text_->data()));
    return count;
  }

  // Call once, after the last piece.
  void Finish() { FlushBytes(/*complete=*/true); }

 private:
  static constexpr size_t kMostPlain = 64;  // pieces at a time
  static constexpr int kPlainSize = 16;     // bytes, what is copied of each

  void AddVisible(std::string_view piece) {
    if (at_start_ && strips_leading_mark_ && piece.starts_with(kSpaceMark)) {
      piece.remove_prefix(kSpaceMark.size());
      if (!strips_all_leading_marks_) at_start_ = false;
    }
    while (true) {
      const size_t mark = piece.find(kSpaceMark);
      text_->append(piece.substr(0, mark));
      if (mark == std::string_view::npos) return;
      text_->push_back(' ');
      piece.remove_prefix(mark + kSpaceMark.size());
    }
  }
  // A byte that no character begins with, or whose character is cut off, is
  // U+FFFD; while more bytes may come, one that announces them waits.
  void FlushBytes(bool complete) {
    if (bytes_.empty()) return;
    std::string_view rest = bytes_;
    while (!rest.empty()) {
      const size_t length = WellFormedLength(rest);
      if (length == 0 && !complete && rest.size() < CharacterLength(rest[0])) break;
      const size_t consumed = length == 0 ? 1 : length;
      AppendCharacter(length == 0 ? kReplacement : rest.substr(0, length), consumed);
      rest.remove_prefix(consumed);
    }
    bytes_.erase(0, bytes_.size() - rest.size());
  }
  void AppendCharacter(std::string_view character, size_t byte_count) {
    const size_t begin = text_->size();
    text_->append(character);
    at_start_ = false;
    for (size_t i = 1; i < byte_count; ++i) PushSpan(begin, begin);
    PushSpan(begin, text_->size());
  }
  void PushSpan(size_t begin, size_t end) {
    if (spans_ == nullptr) return;
    spans_->push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
  }

  const Model& model_;
  const bool strips_leading_mark_;
  const bool strips_all_leading_marks_;
  std::string* text_;
  std::vector<TokenSpan>* spans_;
  std::string bytes_;  // of byte pieces: what may yet become a character
  bool at_start_ = true;
};

}  // namespace sentencepiece::lite
