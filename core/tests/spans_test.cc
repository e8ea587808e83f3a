// Section 6 of what a model means: from pieces to ids, and where they lie in the text.

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "random_text.h"
#include "sentencepiece_extra.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

using Spans = std::vector<TokenSpan>;

// A cache changes nothing, empty or filled.
void CheckCached(const SentencePieceLiteProcessor& processor, std::string_view text,
                 OffsetUnit unit, const std::vector<int>& ids, const Spans& spans) {
  TokenCache cache(TokenCache::Capacity::kSmall);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<int> cached_ids;
    Spans cached_spans;
    CHECK(EncodeWithSpans(processor, cache, text, unit, &cached_ids, &cached_spans) ==
          StatusCode::kOk);
    CHECK(cached_ids == ids);
    CHECK(cached_spans == spans);
  }
}

Spans SpansOf(const SentencePieceLiteProcessor& processor, std::string_view text,
              OffsetUnit unit = OffsetUnit::kByte) {
  std::vector<int> ids;
  Spans spans;
  CHECK(processor.EncodeWithSpans(text, unit, &ids, &spans) == StatusCode::kOk);
  CHECK(ids == Encode(processor, text));
  CHECK(ids.size() == spans.size());
  CheckCached(processor, text, unit, ids, spans);
  return spans;
}

// Behind the default normalizer.
TinyModel Spaced(std::vector<TinyPiece> pieces) {
  TinyModel model = PlainModel(ModelType_UNIGRAM, std::move(pieces));
  model.normalizer = TinyNormalizerSpec{};
  return model;
}

}  // namespace

TEST_CASE("the dummy prefix belongs to the first token, and takes no room") {
  const auto processor = Load(Spaced({{MARK "a", -1}, {"b", -2}, {MARK, -3}}));
  CHECK(SpansOf(processor, "ab") == Spans{{0, 1}, {1, 2}});
  CHECK(SpansOf(processor, "b") == Spans{{0, 0}, {0, 1}});
}

TEST_CASE("spaces that are dropped at the ends belong to no token") {
  const auto processor = Load(Spaced({{MARK "a", -1}, {MARK "b", -2}}));
  CHECK(SpansOf(processor, "  a b  ") == Spans{{2, 3}, {3, 5}});
  SUBCASE("those dropped inside lie in the span of the one that stays") {
    CHECK(SpansOf(processor, "a   b") == Spans{{0, 1}, {1, 5}});
  }
}

TEST_CASE("a character that becomes several, and several that become one") {
  TinyModel model = Spaced({{MARK, -1}, {"x", -1}, {"y", -1}, {"z", -1}});
  model.normalizer->charsmap = Charsmap({{"\xef\xb7\xba", "xy"}, {"e\xcc\x81", "z"}});
  const auto processor = Load(model);
  CHECK(SpansOf(processor, "\xef\xb7\xba") == Spans{{0, 0}, {0, 0}, {0, 3}});
  CHECK(SpansOf(processor, "xe\xcc\x81x") == Spans{{0, 0}, {0, 1}, {1, 4}, {4, 5}});
}

TEST_CASE("of the bytes of an unknown character the last has its span") {
  TinyModel model = PlainModel(ModelType_BPE, {{"a", -1}});
  AddBytePieces(&model);
  const auto processor = Load(model);
  CHECK(SpansOf(processor,
                "a\xe6\x97\xa5"
                "a") == Spans{{0, 1}, {1, 1}, {1, 1}, {1, 4}, {4, 5}});
  std::vector<int> ids;
  std::vector<std::string_view> pieces;
  CHECK(processor.EncodeNormalized("a\xe6\x97\xa5", &ids, &pieces) == StatusCode::kOk);
  CHECK(pieces == std::vector<std::string_view>{"a", "", "", "\xe6\x97\xa5"});
}

TEST_CASE("a run of unknowns has one span") {
  const auto processor = Load(PlainModel(ModelType_BPE, {{"a", -1}}));
  CHECK(SpansOf(processor, "xyaxyz") == Spans{{0, 2}, {2, 3}, {3, 6}});
}

TEST_CASE("spans count bytes, characters, or the units of UTF-16") {
  const auto processor = Load(PlainModel(
      ModelType_CHAR,
      {{"a", 0}, {"\xc3\xa9", 0}, {"\xe6\x97\xa5", 0}, {"\xf0\x9f\xa6\x99", 0}, {FFFD, 0}}));
  const std::string_view text =
      "a\xc3\xa9\xe6\x97\xa5\xf0\x9f\xa6\x99"
      "a";
  CHECK(SpansOf(processor, text) == Spans{{0, 1}, {1, 3}, {3, 6}, {6, 10}, {10, 11}});
  CHECK(SpansOf(processor, text, OffsetUnit::kCharacter) ==
        Spans{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  CHECK(SpansOf(processor, text, OffsetUnit::kUtf16) ==
        Spans{{0, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 6}});
  SUBCASE("a byte that is not UTF-8 is one of each") {
    for (const OffsetUnit unit : {OffsetUnit::kByte, OffsetUnit::kCharacter, OffsetUnit::kUtf16}) {
      CHECK(SpansOf(processor,
                    "a\xff\xfe"
                    "a",
                    unit) == Spans{{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    }
  }
}

TEST_CASE("a span may begin inside a character that became several") {
  TinyModel model = PlainModel(ModelType_CHAR, {{"x", 0}, {"y", 0}, {"a", 0}});
  model.normalizer->charsmap = Charsmap({{"\xef\xb7\xba", "xy"}});
  const auto processor = Load(model);
  CHECK(SpansOf(processor,
                "\xef\xb7\xba"
                "a",
                OffsetUnit::kCharacter) == Spans{{0, 0}, {0, 1}, {1, 2}});
}

TEST_CASE("a suffix mark belongs to the last token") {
  TinyModel model = Spaced({{"a" MARK, -1}, {"b" MARK, -1}});
  model.treat_whitespace_as_suffix = true;
  CHECK(SpansOf(Load(model), "a b") == Spans{{0, 2}, {2, 3}});
}

TEST_CASE("a text that normalizes to nothing has no ids and no spans") {
  const auto processor = Load(Spaced({{"a", -1}}));
  CHECK(SpansOf(processor, "").empty());
  CHECK(SpansOf(processor, "   ").empty());
}

TEST_CASE("spans follow one another, within the text, for any text") {
  RandomText random(3);
  size_t tokens = 0;
  for (int i = 0; i < 100; ++i) {
    TinyModel model = Spaced(random.Pieces(40));
    if (i % 2 == 0) AddBytePieces(&model);
    const auto processor = Load(model);
    for (int j = 0; j < 10; ++j) {
      std::string text = random.Text(40);
      if (j % 3 == 0) text += "  \xff ";
      uint32_t end = 0;
      for (const TokenSpan& span : SpansOf(processor, text)) {
        REQUIRE(span.begin <= span.end);
        REQUIRE(span.begin >= end);
        REQUIRE(span.end <= text.size());
        end = span.end;
        ++tokens;
      }
    }
  }
  MESSAGE(tokens << " spans");
  CHECK(tokens > 1000);
}

TEST_CASE("row 8.3: the unknown id is that of the UNKNOWN piece") {
  const TinyModel model = {.type = ModelType_BPE,
                           .pieces = {{"a", -3}, {"b", -3}, kUnknownPiece, {"ab", -1}},
                           .unk_id = 0,
                           .normalizer = PlainSpec()};
  const auto processor = Load(model);
  CHECK(EncodeNormalized(processor, "abx") == std::vector<int>{3, 2});
  CHECK(processor.unk_id() == 2);
  CHECK(processor.PieceToId("no piece") == 2);
}

TEST_CASE("row 8.8: byte pieces may stand anywhere, in any order") {
  TinyModel model = {.type = ModelType_BPE, .byte_fallback = true, .normalizer = PlainSpec()};
  for (int byte = 255; byte >= 0; --byte) {
    if (byte % 64 == 0) model.pieces.push_back({"piece" + std::to_string(byte), -1});
    model.pieces.push_back({BytePiece(byte), 0, PieceType_BYTE});
  }
  model.pieces.push_back(kUnknownPiece);
  model.pieces.push_back({"a", -1});
  const auto processor = Load(model);
  const std::vector<int> ids = EncodeNormalized(processor, "a\xc3\xa9");
  CHECK(ids == std::vector<int>{processor.PieceToId("a"), processor.PieceToId("<0xC3>"),
                                processor.PieceToId("<0xA9>")});
  CHECK(Decode(processor, ids) == "a\xc3\xa9");
}

TEST_CASE("without an UNKNOWN piece byte fallback does, and ids are reported as -1") {
  TinyModel model = {.pieces = {{"a", -1}}, .unk_id = -1, .normalizer = PlainSpec()};
  AddBytePieces(&model);
  const auto processor = Load(model);
  CHECK(processor.unk_id() == -1);
  CHECK(processor.PieceToId("no piece") == -1);
  CHECK(processor.IdToPiece(-1) == "<unk>");
  CHECK(EncodeNormalized(processor, "b") == std::vector<int>{1 + 'b'});
  CHECK(Decode(processor, {1 + 'b'}) == "b");
}

TEST_CASE("spans in bytes of a text become spans in another unit") {
  const std::string_view text =
      "a\xc3\xa9\xf0\x9f\xa6\x99"
      "b";
  const Spans bytes = {{0, 1}, {1, 1}, {1, 3}, {3, 7}, {7, 8}};
  const auto counted = [&](OffsetUnit unit) {
    Spans spans = bytes;
    CountIn(unit, text, &spans);
    return spans;
  };
  CHECK(counted(OffsetUnit::kByte) == bytes);
  CHECK(counted(OffsetUnit::kCharacter) == Spans{{0, 1}, {1, 1}, {1, 2}, {2, 3}, {3, 4}});
  CHECK(counted(OffsetUnit::kUtf16) == Spans{{0, 1}, {1, 1}, {1, 2}, {2, 4}, {4, 5}});
}

TEST_CASE("what each id gave of a decoded text") {
  TinyModel model = PlainModel(ModelType_BPE, {{"a", -1}, {MARK, -2}});
  AddBytePieces(&model);
  const auto processor = Load(model);
  const std::vector<int> ids = Encode(processor, "a \xc3\xa9");
  std::vector<std::string_view> pieces;
  for (const int id : ids) pieces.push_back(processor.IdToPiece(id));
  std::string text;
  std::string rewritten;
  Spans spans;
  CHECK(DecodeWithSpans(processor, ids, pieces, &text, &rewritten, &spans) == StatusCode::kOk);
  std::string decoded;
  CHECK(processor.Decode(ids, &decoded) == StatusCode::kOk);
  CHECK(text == decoded);
  CHECK(rewritten == decoded);
  CHECK(spans == Spans{{0, 1}, {1, 2}, {2, 2}, {2, 4}});
  SUBCASE("a piece is needed for each id") {
    pieces.pop_back();
    CHECK(DecodeWithSpans(processor, ids, pieces, &text, &rewritten, &spans) ==
          StatusCode::kInvalidArgument);
  }
  SUBCASE("no ids") {
    CHECK(DecodeWithSpans(processor, {}, {}, &text, &rewritten, &spans) == StatusCode::kOk);
    CHECK(text == "");
    CHECK(spans.empty());
  }
}

}  // namespace sentencepiece::lite
