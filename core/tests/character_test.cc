// Section 5 of what a model means: CHAR.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

TinyModel Char(std::vector<TinyPiece> pieces) {
  return PlainModel(ModelType_CHAR, std::move(pieces));
}

}  // namespace

TEST_CASE("row 8.10: a CHAR model knows single characters") {
  const auto processor = Load(
      Char({{"a", -1}, {"\xe6\x97\xa5", -2}, {MARK, -3}, {"aa", -4}, {"\xf0\x9f\xa6\x99", -5}}));
  CHECK(processor.model_type() == ModelType_CHAR);
  CHECK(EncodeNormalized(processor, MARK "aa\xe6\x97\xa5\xf0\x9f\xa6\x99") ==
        std::vector<int>{3, 1, 1, 2, 5});
}

TEST_CASE("user-defined pieces are taken whole, the longest first, in CHAR as well") {
  const auto processor = Load(Char({{"a", -1},
                                    {"<", -1},
                                    {"<x>", 0, PieceType_USER_DEFINED},
                                    {"<x>a", 0, PieceType_USER_DEFINED}}));
  CHECK(Cut(processor, "a<x><x>aa<") == "a|<x>|<x>a|a|<");
}

TEST_CASE("characters that are no pieces are one unknown") {
  const auto processor = Load(Char({{"a", -1}, {"b", -1, PieceType_CONTROL}}));
  CHECK(Cut(processor, "xyabz") == "xy|a|bz");
  CHECK(EncodeNormalized(processor, "xyabz") == std::vector<int>{0, 1, 0});
}

TEST_CASE("with byte fallback an unknown character is its bytes, in CHAR as well") {
  TinyModel model = Char({{"a", -1}});
  AddBytePieces(&model);
  const auto processor = Load(model);
  const int first = processor.PieceToId("<0x00>");
  CHECK(EncodeNormalized(processor, "a\xc3\xa9") ==
        std::vector<int>{1, first + 0xC3, first + 0xA9});
}

}  // namespace sentencepiece::lite
