// Section 5 of what a model means: WORD.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

TinyModel Word(std::vector<TinyPiece> pieces) {
  return PlainModel(ModelType_WORD, std::move(pieces));
}

}  // namespace

TEST_CASE("row 8.10: in a WORD model each mark begins a word") {
  const auto processor = Load(Word({{MARK "a", -1}, {MARK "bc", -2}, {"a", -3}, {MARK, -4}}));
  CHECK(processor.model_type() == ModelType_WORD);
  CHECK(Cut(processor, MARK "a" MARK "bc") == MARK "a|" MARK "bc");
  CHECK(Cut(processor, "a" MARK "bc" MARK) == "a|" MARK "bc|" MARK);
  CHECK(Cut(processor, MARK MARK "a") == MARK "|" MARK "a");
  CHECK(EncodeNormalized(processor, MARK MARK "a") == std::vector<int>{4, 1});
}

TEST_CASE("a word that is no piece is unknown, and words in a row are one unknown") {
  const auto processor = Load(Word({{MARK "a", -1}}));
  CHECK(EncodeNormalized(processor, MARK "x" MARK "y" MARK "a" MARK "z") ==
        std::vector<int>{0, 1, 0});
  CHECK(Cut(processor, MARK "x" MARK "y" MARK "a") == MARK "x" MARK "y|" MARK "a");
  CHECK(EncodeNormalized(processor, "").empty());
}

TEST_CASE("a word that is a piece of an invisible type is unknown") {
  const auto processor = Load(Word({{MARK "a", -1, PieceType_CONTROL},
                                    {MARK "b", -1, PieceType_UNUSED},
                                    {MARK "c", -1, PieceType_USER_DEFINED}}));
  CHECK(EncodeNormalized(processor, MARK "a" MARK "c" MARK "b") == std::vector<int>{0, 3, 0});
}

TEST_CASE("with byte fallback an unknown word is its bytes") {
  TinyModel model = Word({{MARK "a", -1}});
  AddBytePieces(&model);
  const auto processor = Load(model);
  const int first = processor.PieceToId("<0x00>");
  CHECK(EncodeNormalized(processor, MARK "a" MARK "x") ==
        std::vector<int>{1, first + 0xE2, first + 0x96, first + 0x81, first + 'x'});
}

}  // namespace sentencepiece::lite
