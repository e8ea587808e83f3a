#include "character_pairs.h"

#include <algorithm>
#include <bit>

#include "number_sort.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

constexpr size_t kFirstSize = size_t{1} << 12;

// The character at the front of a text: its bytes in the upper half, the first one on top.
CharacterPair FirstCharacter(std::string_view text, size_t size) {
  CharacterPair character = 0;
  for (size_t i = 0; i < size; ++i) {
    character |= CharacterPair{static_cast<uint8_t>(text[i])} << (56 - 8 * i);
  }
  return character;
}

}  // namespace

CharacterPairs::CharacterPairs() : table_(kFirstSize) {}

void CharacterPairs::AddPiece(std::string_view piece) {
  if (piece.empty()) return;
  size_t left_size = CharacterLength(piece);
  CharacterPair left = FirstCharacter(piece, left_size);
  piece.remove_prefix(left_size);
  while (!piece.empty()) {
    const size_t right_size = CharacterLength(piece);
    const CharacterPair right = FirstCharacter(piece, right_size);
    Add(left | right >> (8 * left_size));
    left = right;
    left_size = right_size;
    piece.remove_prefix(right_size);
  }
}

std::vector<CharacterPair> CharacterPairs::Sorted() const {
  std::vector<Numbered> items;
  items.reserve(pairs_.size());
  for (const CharacterPair pair : pairs_) items.push_back({pair, 0});
  SortByNumber(items);
  std::vector<CharacterPair> sorted;
  sorted.reserve(items.size());
  for (const Numbered& item : items) sorted.push_back(item.number);
  return sorted;
}

void CharacterPairs::Add(CharacterPair pair) {
  size_t place = PlaceOf(pair);
  if (table_[place] == pair) return;
  table_[place] = pair;
  pairs_.push_back(pair);
  if (pairs_.size() < table_.size() / 2) return;
  table_.assign(2 * table_.size(), 0);
  for (const CharacterPair known : pairs_) table_[PlaceOf(known)] = known;
}

size_t CharacterPairs::PlaceOf(CharacterPair pair) const {
  // Multiplied, the high bits depend on all; the factor is 2^64 divided by the golden ratio, as
  // in Knuth's The Art of Computer Programming, volume 3, 6.4.
  const int bits = std::countr_zero(table_.size());
  size_t place = static_cast<size_t>(pair * 0x9E3779B97F4A7C15u >> (64 - bits));
  while (table_[place] != 0 && table_[place] != pair) place = (place + 1) % table_.size();
  return place;
}

}  // namespace sentencepiece::lite
