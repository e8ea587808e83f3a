#include "decoder.h"

#include "utf8.h"

namespace sentencepiece::lite {

// Section 7 of the semantics.
void Decoder::Add(int id, std::string_view piece) {
  const PieceType type = model_.Has(id) ? model_.piece_type(id) : PieceType_UNKNOWN;
  if (type == PieceType_BYTE) {
    bytes_.push_back(static_cast<char>(model_.byte(id)));
    FlushBytes(/*complete=*/false);
    return;
  }
  FlushBytes(/*complete=*/true);
  const size_t begin = text_->size();
  if (type == PieceType_UNKNOWN) {
    AddUnknown(id, piece);
  } else if (type != PieceType_CONTROL) {
    AddVisible(piece);
  }
  if (text_->size() > begin) at_start_ = false;
  PushSpan(begin, text_->size());
}

void Decoder::AddUnknown(int id, std::string_view piece) {
  const bool is_unknown_piece = model_.Has(id) && model_.piece(id) == piece;
  text_->append(is_unknown_piece ? model_.unk_surface() : piece);
}

void Decoder::AddVisible(std::string_view piece) {
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
void Decoder::FlushBytes(bool complete) {
  std::string_view rest = bytes_;
  while (!rest.empty()) {
    const size_t length = WellFormedLength(rest);
    if (length == 0 && !complete && rest.size() < CharacterLength(rest[0])) break;
    if (length == 0) {
      AppendCharacter(kReplacement, 1);
    } else {
      AppendCharacter(rest.substr(0, length), length);
    }
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  bytes_.erase(0, bytes_.size() - rest.size());
}

void Decoder::AppendCharacter(std::string_view character, size_t byte_count) {
  const size_t begin = text_->size();
  text_->append(character);
  at_start_ = false;
  for (size_t i = 1; i < byte_count; ++i) PushSpan(begin, begin);
  PushSpan(begin, text_->size());
}

void Decoder::PushSpan(size_t begin, size_t end) {
  if (spans_ == nullptr) return;
  spans_->push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
}

}  // namespace sentencepiece::lite
