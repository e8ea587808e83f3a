// Which characters are neighbours in pieces.

#ifndef SPMLITE_CORE_CHARACTER_PAIRS_H_
#define SPMLITE_CORE_CHARACTER_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sentencepiece::lite {

// Two characters, eight bytes at most, as a number that orders as their bytes do: the first one
// on top, zeros behind the last.
using CharacterPair = uint64_t;

// A set of such pairs. Large vocabularies have millions of them, and some ten thousands of
// different ones.
class CharacterPairs {
 public:
  CharacterPairs();

  // Adds each two neighbouring characters of a piece, which holds no NUL.
  void AddPiece(std::string_view piece);

  // Each once, in no order.
  const std::vector<CharacterPair>& pairs() const { return pairs_; }

  // The same in the order of their bytes.
  std::vector<CharacterPair> Sorted() const;

 private:
  void Add(CharacterPair pair);
  // Where the pair is in the table, or would be.
  size_t PlaceOf(CharacterPair pair) const;

  std::vector<CharacterPair> pairs_;
  std::vector<CharacterPair> table_;  // by hash; 0 is no pair
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_CHARACTER_PAIRS_H_
