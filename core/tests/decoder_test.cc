// Section 7 of what a model means: decoding.

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "random_text.h"
#include "sentencepiece_extra.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

// Ids: 0 <unk>, 1 <s>, 2 the mark, 3 mark and a, 4 a, 5 b and mark, 6 two marks, 7 UNUSED, 8 to
// 263 the bytes.
TinyModel Marked(bool prefix, bool remove) {
  TinyModel model = PlainModel(ModelType_UNIGRAM, {{"<s>", 0, PieceType_CONTROL},
                                                   {MARK, -1},
                                                   {MARK "a", -1},
                                                   {"a", -1},
                                                   {"b" MARK, -1},
                                                   {MARK MARK, -1},
                                                   {MARK "u", -1, PieceType_UNUSED}});
  model.normalizer = {.add_dummy_prefix = prefix, .remove_extra_whitespaces = remove};
  AddBytePieces(&model);
  return model;
}

std::vector<int> BytesOf(std::string_view bytes) {
  std::vector<int> ids;
  for (const char c : bytes) ids.push_back(8 + static_cast<unsigned char>(c));
  return ids;
}

// With the pieces: one an id, next to one another, all of the text.
std::string DecodeInParts(const SentencePieceLiteProcessor& processor,
                          const std::vector<int>& ids) {
  std::string text;
  std::vector<std::string_view> pieces;
  CHECK(processor.Decode(ids, &text, &pieces) == StatusCode::kOk);
  CHECK(pieces.size() == ids.size());
  size_t end = 0;
  for (const std::string_view piece : pieces) {
    CHECK(piece.data() == text.data() + end);
    end += piece.size();
  }
  CHECK(end == text.size());
  return Join(pieces);
}

std::string DecodeStreaming(const SentencePieceLiteProcessor& processor,
                            const std::vector<int>& ids) {
  StreamingDecoder decoder(processor);
  std::string text;
  for (const int id : ids) CHECK(decoder.Add(id, &text) == StatusCode::kOk);
  CHECK(decoder.Finish(&text) == StatusCode::kOk);
  return text;
}

}  // namespace

TEST_CASE("an id out of range is an error, and leaves nothing behind") {
  const auto processor = Load(Marked(true, true));
  for (const int id : {-1, static_cast<int>(processor.vocab_size()),
                       std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    std::string text = "before";
    std::vector<std::string_view> pieces = {"before"};
    const std::vector<int> ids = {4, id, 4};
    CHECK(processor.Decode(ids, &text, &pieces) == StatusCode::kOutOfRange);
    CHECK(text.empty());
    CHECK(pieces.empty());
  }
}

TEST_CASE("no ids give an empty text") { CHECK(Decode(Load(Marked(true, true)), {}).empty()); }

TEST_CASE("one leading mark is stripped for the dummy prefix") {
  const auto processor = Load(Marked(true, false));
  CHECK(Decode(processor, {3}) == "a");
  CHECK(Decode(processor, {3, 3}) == "a a");
  CHECK(Decode(processor, {2, 3}) == " a");
  CHECK(Decode(processor, {2, 2, 2}) == "  ");
  CHECK(Decode(processor, {6, 4}) == " a");
  CHECK(Decode(processor, {4, 3}) == "a a");
}

TEST_CASE("all leading marks are stripped where extra spaces are removed") {
  const auto processor = Load(Marked(true, true));
  CHECK(Decode(processor, {2, 2, 2, 3}) == "a");
  CHECK(Decode(processor, {2}) == "");
  CHECK(Decode(processor, {2, 2, 4}) == "a");
  SUBCASE("one from each piece, so that two in a piece leave a space") {
    CHECK(Decode(processor, {6, 3}) == "  a");
    CHECK(Decode(processor, {2, 6, 4}) == " a");
  }
  SUBCASE("the same without a dummy prefix") {
    CHECK(Decode(Load(Marked(false, true)), {2, 2, 3}) == "a");
  }
}

TEST_CASE("with neither flag no mark is stripped") {
  const auto processor = Load(Marked(false, false));
  CHECK(Decode(processor, {3}) == " a");
  CHECK(Decode(processor, {2, 6, 3}) == "    a");
}

TEST_CASE("marks inside and at the end of pieces are spaces") {
  const auto processor = Load(Marked(true, true));
  CHECK(Decode(processor, {5, 3, 5}) == "b  ab ");
  CHECK(DecodeInParts(processor, {3, 6, 3}) == "a|  | a");
}

TEST_CASE("a control piece gives nothing, and the text has not begun with it") {
  const auto processor = Load(Marked(true, false));
  CHECK(DecodeInParts(processor, {1, 3, 1, 3, 1}) == "|a|| a|");
  CHECK(Decode(processor, {1, 1, 2, 1, 2}) == " ");
}

TEST_CASE("ids in a row come out as each by itself does") {
  // Pieces of up to 60 bytes: many are plain text, and are copied many at a time.
  RandomText random(9);
  size_t count = 0;
  for (int i = 0; i < 300; ++i) {
    TinyModel model = PlainModel(ModelType_UNIGRAM, random.Pieces(40));
    for (uint32_t j = random.Below(4); j > 0; --j) {
      const std::string piece = "long" + std::to_string(j) + random.Text(14) + random.Text(14);
      model.pieces.push_back({piece, -1});
    }
    model.normalizer = {.add_dummy_prefix = random.Below(2) == 0};
    if (random.Below(2) == 0) AddBytePieces(&model);
    const auto processor = Load(model);
    for (int j = 0; j < 20; ++j) {
      std::vector<int> ids(1 + random.Below(200));
      const uint32_t size = static_cast<uint32_t>(processor.vocab_size());
      for (int& id : ids) id = static_cast<int>(random.Below(size));
      std::string text;
      REQUIRE(processor.Decode(ids, &text) == StatusCode::kOk);
      std::string parts;
      std::vector<std::string_view> pieces;
      REQUIRE(processor.Decode(ids, &parts, &pieces) == StatusCode::kOk);
      REQUIRE(text == parts);
      REQUIRE(text == DecodeStreaming(processor, ids));
      count += ids.size();
    }
  }
  MESSAGE(count << " ids");
}

TEST_CASE("an UNUSED piece gives its text") {
  CHECK(Decode(Load(Marked(true, true)), {7, 7}) == "u u");
}

TEST_CASE("an unknown piece gives the unk_surface") {
  TinyModel model = Marked(true, true);
  CHECK(Decode(Load(model), {3, 0, 4}) == "a \xe2\x81\x87 a");
  CHECK(DecodeInParts(Load(model), {0, 3}) == " \xe2\x81\x87 | a");
  model.unk_surface = "?";
  CHECK(Decode(Load(model), {0, 0}) == "??");
  model.unk_surface = MARK;
  CHECK(Decode(Load(model), {0}) == MARK);
}

TEST_CASE("row 8.4: an unk_surface that is empty is empty") {
  TinyModel model = Marked(true, true);
  model.unk_surface = "";
  const auto processor = Load(model);
  CHECK(Decode(processor, {4, 0, 4}) == "aa");
  CHECK(Decode(processor, {0, 3}) == "a");
}

TEST_CASE("bytes are collected, and each that is no character is one U+FFFD") {
  const auto processor = Load(Marked(true, true));
  const auto check = [&](std::string_view bytes, std::string_view text) {
    CHECK(Decode(processor, BytesOf(bytes)) == text);
    CHECK(DecodeStreaming(processor, BytesOf(bytes)) == text);
  };
  check("abc", "abc");
  check("\xea\xb9\xb0", "\xea\xb9\xb0");
  check("\xf0\x9f\x8d\xa3\xc3\xa9", "\xf0\x9f\x8d\xa3\xc3\xa9");
  check("\xea\xb9", FFFD FFFD);
  check(
      "\xea"
      "a",
      FFFD "a");
  check("\xed\xa0\x80", FFFD FFFD FFFD);
  check(
      "\xf0\x9f\x8d"
      "a\xa3",
      FFFD FFFD FFFD "a" FFFD);
  check("\xff\xc0\x80", FFFD FFFD FFFD);
  check(std::string_view("\0", 1), std::string_view("\0", 1));
}

TEST_CASE("a run of bytes ends with any other piece") {
  const auto processor = Load(Marked(true, true));
  const int e1 = 8 + 0xC3, e2 = 8 + 0xA9;
  CHECK(Decode(processor, {e1, e2}) == "\xc3\xa9");
  for (const int other : {1, 4}) {
    const std::string between = other == 4 ? "a" : "";
    CHECK(Decode(processor, {e1, other, e2}) == FFFD + between + FFFD);
    CHECK(DecodeStreaming(processor, {e1, other, e2}) == FFFD + between + FFFD);
  }
}

TEST_CASE("bytes are text: a mark that follows them is a space") {
  const auto processor = Load(Marked(true, true));
  CHECK(Decode(processor, {8 + 'x', 3}) == "x a");
  CHECK(Decode(processor, BytesOf(MARK)) == MARK);
}

TEST_CASE("of the bytes of one character the last gives it whole") {
  const auto processor = Load(Marked(true, true));
  CHECK(DecodeInParts(processor, {4, 8 + 0xC3, 8 + 0xA9, 8 + 'x', 8 + 0xFF, 4}) ==
        "a||\xc3\xa9|x|" FFFD "|a");
}

TEST_CASE("suffix models strip at the start like others, and nothing at the end") {
  TinyModel model = Marked(true, true);
  model.treat_whitespace_as_suffix = true;
  const auto processor = Load(model);
  CHECK(Decode(processor, {5, 5}) == "b b ");
  CHECK(Decode(processor, {2, 2, 3}) == "a");
  CHECK(Decode(processor, {2, 0}) == " \xe2\x81\x87 ");
}

TEST_CASE("pieces decode as their ids do, and what is no piece gives itself") {
  const auto processor = Load(Marked(true, true));
  const auto decode = [&](std::vector<std::string_view> pieces) {
    std::string text;
    CHECK(processor.DecodePieces(pieces, &text) == StatusCode::kOk);
    return text;
  };
  CHECK(decode({}) == "");
  CHECK(decode({"<s>", MARK "a", MARK, "a"}) == "a a");
  CHECK(decode({"<0xC3>", "<0xA9>", "a"}) ==
        "\xc3\xa9"
        "a");
  CHECK(decode({"a", "<unk>", "a"}) == "a \xe2\x81\x87 a");
  CHECK(decode({"no piece", "a"}) == "no piecea");
}

TEST_CASE("row 8.6: a denormalizer is applied to the text as a whole") {
  TinyModel model = Marked(true, true);
  model.denormalizer = {.charsmap = Charsmap({{"aa", "A"}, {" ", "_"}}),
                        .add_dummy_prefix = false,
                        .remove_extra_whitespaces = false,
                        .escape_whitespaces = false};
  CHECK(Decode(Load(model), {3, 4, 3}) == "A_a");
  CHECK(DecodeStreaming(Load(model), {3, 4, 3}) == "A_a");
  SUBCASE("with its own flags, whose defaults add and mark") {
    model.denormalizer = {.charsmap = Charsmap({{"aa", "A"}})};
    CHECK(Decode(Load(model), {3, 4, 3}) == MARK "A" MARK "a");
  }
  SUBCASE("and the pieces of the text before it are gone") {
    const auto processor = Load(model);
    std::string text;
    std::vector<std::string_view> pieces;
    const std::vector<int> ids = {3, 4};
    CHECK(processor.Decode(ids, &text, &pieces) == StatusCode::kOk);
    CHECK(pieces == std::vector<std::string_view>{"", ""});
  }
}

TEST_CASE("a streaming decoder gives out what is final, and holds back the rest") {
  const auto processor = Load(Marked(true, true));
  StreamingDecoder decoder(processor);
  std::string text;
  const auto add = [&](int id) {
    text.clear();
    CHECK(decoder.Add(id, &text) == StatusCode::kOk);
    return text;
  };
  CHECK(add(3) == "a");
  CHECK(add(8 + 0xEA) == "");
  CHECK(add(8 + 0xB9) == "");
  CHECK(add(8 + 0xB0) == "\xea\xb9\xb0");
  CHECK(add(3) == " a");
  CHECK(add(8 + 0xEA) == "");
  CHECK(add(4) == FFFD "a");
  CHECK(add(8 + 0xEA) == "");
  SUBCASE("an id out of range changes nothing") {
    CHECK(decoder.Add(-1, &text) == StatusCode::kOutOfRange);
    CHECK(decoder.Add(1 << 30, &text) == StatusCode::kOutOfRange);
    CHECK(decoder.Add(4, nullptr) == StatusCode::kInvalidArgument);
  }
  text.clear();
  CHECK(decoder.Finish(&text) == StatusCode::kOk);
  CHECK(text == FFFD);
  SUBCASE("after that it is as new") { CHECK(add(3) == "a"); }
}

TEST_CASE("streamed, any ids give the text that they give at once") {
  RandomText random(9);
  size_t sequences = 0;
  for (const bool prefix : {true, false}) {
    for (const bool remove : {true, false}) {
      const auto processor = Load(Marked(prefix, remove));
      for (int i = 0; i < 500; ++i) {
        std::vector<int> ids;
        for (uint32_t length = random.Below(12); length > 0; --length) {
          // Bytes that begin, continue and break characters, and other pieces.
          static constexpr int kBytes[] = {0xE2, 0x96, 0x81, 0xC3, 0xA9, 0xF0, 0x9F, 'a', 0xFF};
          ids.push_back(random.Below(2) == 0 ? static_cast<int>(random.Below(8))
                                             : 8 + kBytes[random.Below(9)]);
        }
        CAPTURE(ids);
        REQUIRE(DecodeStreaming(processor, ids) == Decode(processor, ids));
        DecodeInParts(processor, ids);
        ++sequences;
      }
    }
  }
  MESSAGE(sequences << " sequences of ids");
}

TEST_CASE("a text that has no unknowns comes back from its ids") {
  RandomText random(11);
  size_t texts = 0;
  for (const ModelType type : {ModelType_UNIGRAM, ModelType_BPE, ModelType_WORD, ModelType_CHAR}) {
    for (int i = 0; i < 30; ++i) {
      TinyModel model = PlainModel(type, random.Pieces(40));
      AddBytePieces(&model);
      const auto processor = Load(model);
      for (int j = 0; j < 10; ++j) {
        const std::string text = random.Text(40);
        std::string expected = text;
        // A mark is a space, whether it came as one or not, where a piece holds
        // it; its bytes are a mark.
        const std::string decoded = Decode(processor, Encode(processor, text));
        CHECK(Normalize(processor, decoded) == Normalize(processor, expected));
        ++texts;
      }
    }
  }
  MESSAGE(texts << " texts");
}

}  // namespace sentencepiece::lite
