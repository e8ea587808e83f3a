// Safe cuts: what lies between two of them can be encoded apart.

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "random_text.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

TinyModel Bpe(std::vector<std::string> pieces) {
  TinyModel model = PlainModel(ModelType_BPE, {});
  float score = 0;
  for (std::string& piece : pieces) model.pieces.push_back({piece, --score});
  return model;
}

}  // namespace

TEST_CASE("a text is cut where two neighbours occur in no piece") {
  const auto processor = Load(PlainModel(
      ModelType_UNIGRAM,
      {{"ab", -1}, {"bc", -1}, {"xy", -1}, {"a", -9}, {"b", -9}, {"c", -9}, {"x", -9}, {"y", -9}}));
  CHECK(Chunks(processor, "abcxy") == "abc|xy");
  CHECK(Chunks(processor, "ba") == "b|a");
  CHECK(Chunks(processor, "abab") == "ab|ab");
  CHECK(Chunks(processor, "") == "");
  CHECK(Chunks(processor, "zzz") == "z|z|z");
}

TEST_CASE("the order of the two neighbours counts") {
  const auto processor = Load(Bpe({"ab"}));
  CHECK(Chunks(processor, "aabb") == "a|ab|b");
}

TEST_CASE("a mark inside a piece joins what is around it") {
  CHECK(Chunks(Load(Bpe({MARK "a", "ab"})), MARK "ab" MARK "ab") == MARK "ab|" MARK "ab");
  CHECK(Chunks(Load(Bpe({MARK "a", "ab", "b" MARK})), MARK "ab" MARK "ab") == MARK "ab" MARK "ab");
  CHECK(Chunks(Load(Bpe({MARK MARK})), MARK MARK MARK "a" MARK) == MARK MARK MARK "|a|" MARK);
}

TEST_CASE("characters of one to four bytes are neighbours of each other") {
  const std::string characters[] = {"a", "\xc3\xa9", MARK, "\xe6\x97\xa5", "\xf0\x9f\xa6\x99"};
  for (const std::string& first : characters) {
    for (const std::string& second : characters) {
      const auto processor = Load(Bpe({first + second}));
      for (const std::string& left : characters) {
        for (const std::string& right : characters) {
          const bool joined = left == first && right == second;
          CHECK(Chunks(processor, left + right) == left + (joined ? "" : "|") + right);
        }
      }
    }
  }
}

TEST_CASE("a NUL is cut off on both sides, and is not mistaken for a mark") {
  const auto processor = Load(Bpe({MARK "a", "a" MARK, MARK MARK, "a"}));
  const std::string text("a\0\0" MARK "a", 7);
  std::vector<std::string_view> chunks;
  CHECK(processor.PretokenizeAtSafeBoundaries(text, &chunks) == StatusCode::kOk);
  CHECK(chunks == std::vector<std::string_view>{"a", {"\0", 1}, {"\0", 1}, MARK "a"});
}

TEST_CASE("bytes that are no characters are cut without reading past the end") {
  const auto processor = Load(Bpe({"ab", "\xe2\x96\x81\xe2\x96\x81"}));
  for (const std::string_view text :
       {"\xe2", "\xe2\x96", "ab\xe2\x96", "\xff\xfe", "a\x80", "\xf0\x9f\xa6"}) {
    std::string joined;
    CHECK(processor.PretokenizeAtSafeBoundaries(
              text, [&](std::string_view chunk) { joined += chunk; }) == StatusCode::kOk);
    CHECK(joined == text);
  }
}

TEST_CASE("a receiver and a vector get the same chunks") {
  const auto processor = Load(Bpe({"ab", MARK "a"}));
  std::vector<std::string_view> received;
  const std::string text = MARK "ab" MARK "ba";
  CHECK(processor.PretokenizeAtSafeBoundaries(
            text, [&](std::string_view chunk) { received.push_back(chunk); }) == StatusCode::kOk);
  CHECK(Join(received) == Chunks(processor, text));
}

TEST_CASE("chunks one after the other are the text, their ids the ids of it") {
  RandomText random(1);
  size_t texts = 0;
  size_t chunk_count = 0;
  for (const ModelType type : {ModelType_UNIGRAM, ModelType_BPE}) {
    for (int i = 0; i < 60; ++i) {
      TinyModel model = PlainModel(type, random.Pieces(40));
      if (i % 3 == 0) AddBytePieces(&model);
      const auto processor = Load(model);
      for (int j = 0; j < 20; ++j) {
        const std::string text = random.Text(60);
        std::string joined;
        std::vector<int> ids;
        CHECK(processor.PretokenizeAtSafeBoundaries(text, [&](std::string_view chunk) {
          joined += chunk;
          std::vector<int> chunk_ids;
          processor.EncodeNormalizedChunk(chunk, &chunk_ids);
          for (const int id : chunk_ids) {
            // One run of unknowns is one id, across chunks as well.
            const bool goes_on = !model.byte_fallback && id == 0 && !ids.empty() && ids.back() == 0;
            if (!goes_on) ids.push_back(id);
          }
          ++chunk_count;
        }) == StatusCode::kOk);
        REQUIRE(joined == text);
        REQUIRE(ids == EncodeNormalized(processor, text));
        ++texts;
      }
    }
  }
  MESSAGE(texts << " texts in " << chunk_count << " chunks");
  CHECK(chunk_count > texts);
}

TEST_CASE("models whose cuts are not safe leave a text whole") {
  // The last split of an UNUSED piece counts for all of a text, and words of a
  // WORD model are cut by its own rule.
  TinyModel unused = Bpe({"ab", "cd"});
  unused.pieces.push_back({"xy", -9, PieceType_UNUSED});
  CHECK(Chunks(Load(unused), "abcd") == "abcd");
  CHECK(Chunks(Load(PlainModel(ModelType_WORD, {{"a", -1}})), "bc") == "bc");
}

}  // namespace sentencepiece::lite
