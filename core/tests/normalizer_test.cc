// Section 2 of what a model means: text as the model was trained on it.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

using std::string_view_literals::operator""sv;

TinyModel ModelOf(TinyNormalizerSpec spec, bool suffix = false,
                  std::vector<std::string> user_defined = {}) {
  TinyModel model = {.pieces = {kUnknownPiece, {"a", -1}},
                     .treat_whitespace_as_suffix = suffix,
                     .normalizer = std::move(spec)};
  for (const std::string& piece : user_defined) {
    model.pieces.push_back({piece, 0, PieceType_USER_DEFINED});
  }
  return model;
}

struct Normalized {
  std::string text;
  std::vector<size_t> offsets;
};

// With offsets; checks that it is the same text without them.
Normalized NormalizeWithOffsets(const SentencePieceLiteProcessor& processor,
                                std::string_view input) {
  Normalized result;
  CHECK(processor.Normalize(input, &result.text, &result.offsets) == StatusCode::kOk);
  CHECK(Normalize(processor, input) == result.text);
  return result;
}

// The offsets of every byte, with those of one prefix of the input on one
// digit: "0011" for two bytes of byte 0 and two of byte 1. Up to ten.
std::string Digits(const std::vector<size_t>& offsets) {
  std::string digits;
  for (const size_t offset : offsets) {
    digits += offset < 10 ? static_cast<char>('0' + offset) : '+';
  }
  return digits;
}

}  // namespace

TEST_CASE("an empty text stays empty, and has no offsets") {
  for (const bool on : {true, false}) {
    const auto processor = Load(ModelOf(
        {.add_dummy_prefix = on, .remove_extra_whitespaces = on, .escape_whitespaces = on}));
    const Normalized result = NormalizeWithOffsets(processor, "");
    CHECK(result.text.empty());
    CHECK(result.offsets.empty());
  }
}

TEST_CASE("every combination of the four flags") {
  const std::string_view input = "  a  " MARK " b ";
  struct Case {
    bool prefix, remove, escape, suffix;
    std::string_view normalized;
  };
  // By the oracle, one by one.
  const Case cases[] = {
      {false, false, false, false, "  a  " MARK " b "},
      {false, false, false, true, "  a  " MARK " b "},
      {false, false, true, false, MARK MARK "a" MARK MARK MARK MARK "b" MARK},
      {false, false, true, true, MARK MARK "a" MARK MARK MARK MARK "b" MARK},
      {false, true, false, false, "a " MARK " b"},
      {false, true, false, true, "a " MARK " b"},
      {false, true, true, false, "a" MARK MARK MARK "b"},
      {false, true, true, true, "a" MARK MARK MARK "b"},
      {true, false, false, false, "   a  " MARK " b "},
      {true, false, false, true, "  a  " MARK " b  "},
      {true, false, true, false, MARK MARK MARK "a" MARK MARK MARK MARK "b" MARK},
      {true, false, true, true, MARK MARK "a" MARK MARK MARK MARK "b" MARK MARK},
      {true, true, false, false, " a " MARK " b"},
      {true, true, false, true, "a " MARK " b "},
      {true, true, true, false, MARK "a" MARK MARK MARK "b"},
      {true, true, true, true, "a" MARK MARK MARK "b" MARK},
  };
  for (const Case& c : cases) {
    CAPTURE(c.prefix);
    CAPTURE(c.remove);
    CAPTURE(c.escape);
    CAPTURE(c.suffix);
    const auto processor = Load(ModelOf({.add_dummy_prefix = c.prefix,
                                         .remove_extra_whitespaces = c.remove,
                                         .escape_whitespaces = c.escape},
                                        c.suffix));
    const Normalized result = NormalizeWithOffsets(processor, input);
    CHECK(result.text == c.normalized);
    REQUIRE(result.offsets.size() == result.text.size() + 1);
    for (size_t i = 0; i < result.text.size(); ++i) {
      CHECK(result.offsets[i] <= result.offsets[i + 1]);
    }
    CHECK(result.offsets.back() == (c.remove ? input.size() - 1 : input.size()));
  }
}

TEST_CASE("a text of spaces alone is empty where extra ones are removed") {
  const auto removing = Load(ModelOf({}));
  const auto keeping = Load(ModelOf({.remove_extra_whitespaces = false}));
  for (const std::string_view input : {" ", "   "}) {
    const Normalized result = NormalizeWithOffsets(removing, input);
    CHECK(result.text.empty());
    CHECK(result.offsets.empty());
  }
  CHECK(NormalizeWithOffsets(keeping, " ").text == MARK MARK);
  CHECK(Digits(NormalizeWithOffsets(keeping, " ").offsets) == "0000001");
}

TEST_CASE("offsets name the byte of the input that each byte stems from") {
  const auto processor = Load(ModelOf({}));
  const Normalized result = NormalizeWithOffsets(processor, " a  \xc3\xa9 ");
  CHECK(result.text == MARK "a" MARK "\xc3\xa9");
  CHECK(Digits(result.offsets) ==
        "111"
        "1"
        "222"
        "44"
        "6");
}

TEST_CASE("offsets of a character that is copied are its start, at each byte") {
  const auto processor = Load(ModelOf(PlainSpec()));
  CHECK(Digits(NormalizeWithOffsets(processor,
                                    "\xf0\x9f\xa6\x99"
                                    "a")
                   .offsets) == "000045");
}

TEST_CASE("a literal mark is as a space, but is not collapsed") {
  const auto processor = Load(ModelOf({}));
  CHECK(Normalize(processor, "a" MARK MARK "b") == MARK "a" MARK MARK "b");
  CHECK(Normalize(processor, MARK "a") == MARK MARK "a");
  SUBCASE("at the end it is stripped along with the spaces") {
    const Normalized result = NormalizeWithOffsets(processor, "a " MARK " ");
    CHECK(result.text == MARK "a");
    CHECK(Digits(result.offsets) == "00001");
  }
  SUBCASE("alone it leaves nothing") {
    const Normalized result = NormalizeWithOffsets(processor, MARK);
    CHECK(result.text.empty());
    CHECK(Digits(result.offsets) == "0");
  }
  SUBCASE("without escaping it is a character like others") {
    const auto plain = Load(ModelOf({.escape_whitespaces = false}));
    CHECK(Normalize(plain, "a" MARK " ") == " a" MARK);
  }
}

TEST_CASE("other white space is no space") {
  const auto processor = Load(ModelOf({}));
  CHECK(Normalize(processor, "a\tb\r\n\xc2\xa0\xe3\x80\x80") == MARK
        "a\tb\r\n\xc2\xa0\xe3\x80\x80");
}

TEST_CASE("each byte that is not UTF-8 becomes its own U+FFFD") {
  const auto processor = Load(ModelOf(PlainSpec()));
  const auto check = [&](std::string_view input, std::string_view normalized) {
    CHECK(NormalizeWithOffsets(processor, input).text == normalized);
  };
  check("\xff", FFFD);
  check("\x80", FFFD);
  check("\xff\xfe", FFFD FFFD);
  check(
      "a\xff"
      "b",
      "a" FFFD "b");
  check("\xc0\xaf", FFFD FFFD);                    // overlong
  check("\xe0\x80\xaf", FFFD FFFD FFFD);           // overlong
  check("\xed\xa0\x80", FFFD FFFD FFFD);           // a surrogate
  check("\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD);  // past U+10FFFF
  check("\xe2\x96", FFFD FFFD);                    // cut off
  check(
      "\xe2\x96"
      "a",
      FFFD FFFD "a");
  check("\xf0\x9f\xa6 \x99", FFFD FFFD FFFD MARK FFFD);
  CHECK(Digits(NormalizeWithOffsets(processor,
                                    "a\xff\xfe"
                                    "b")
                   .offsets) ==
        "0111"
        "222"
        "34");
}

TEST_CASE("a NUL is a character, and matches no rule and no piece") {
  const auto processor = Load(ModelOf(
      {.charsmap = Charsmap({{"ab", "x"}, {"a", "y"}}), .add_dummy_prefix = false}, false, {"uv"}));
  CHECK(Normalize(processor, "a\0b"sv) == "y\0b"sv);
  CHECK(Normalize(processor, "u\0v"sv) == "u\0v"sv);
  CHECK(Normalize(processor, "\0"sv) == "\0"sv);
}

TEST_CASE("the longest rule of the charsmap wins") {
  const auto processor = Load(ModelOf(
      {.charsmap = Charsmap({{"a", "1"}, {"ab", "2"}, {"abcd", "4"}}), .add_dummy_prefix = false}));
  CHECK(Normalize(processor, "a") == "1");
  CHECK(Normalize(processor, "abab") == "22");
  CHECK(Normalize(processor, "abc") == "2c");
  CHECK(Normalize(processor, "abcdabca") == "42c1");
}

TEST_CASE("rules of several characters compose what is written apart") {
  // Hangul from its letters, a letter and its accent, half-width kana.
  const auto processor =
      Load(ModelOf({.charsmap = Charsmap({{"\xe1\x84\x80\xe1\x85\xa1", "\xea\xb0\x80"},
                                          {"\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", "\xea\xb0\x81"},
                                          {"e\xcc\x81", "\xc3\xa9"},
                                          {"\xef\xbd\xb6\xef\xbe\x9e", "\xe3\x82\xac"}}),
                    .add_dummy_prefix = false}));
  CHECK(Normalize(processor, "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8") == "\xea\xb0\x81");
  CHECK(Normalize(processor, "\xe1\x84\x80\xe1\x85\xa1-") == "\xea\xb0\x80-");
  CHECK(Normalize(processor, "\xef\xbd\xb6\xef\xbe\x9e") == "\xe3\x82\xac");
  SUBCASE("an ASCII letter joins the mark after it, wherever it stands") {
    CHECK(Normalize(processor, "e\xcc\x81") == "\xc3\xa9");
    CHECK(Normalize(processor, "cafe\xcc\x81s") == "caf\xc3\xa9s");
    CHECK(Normalize(processor,
                    "ee\xcc\x81"
                    "ee") ==
          "e\xc3\xa9"
          "ee");
    CHECK(Normalize(processor, "e\xcc\x80") == "e\xcc\x80");
    CHECK(Digits(NormalizeWithOffsets(processor, "fe\xcc\x81s").offsets) == "01145");
  }
}

TEST_CASE("a replacement is not normalized again, but its spaces are marked") {
  const auto processor =
      Load(ModelOf({.charsmap = Charsmap({{"a", "b"}, {"b", "c"}, {"x", "a b"}})}));
  CHECK(Normalize(processor, "ab") == MARK "bc");
  CHECK(Normalize(processor, "x") == MARK "a" MARK "b");
}

TEST_CASE("a replacement may be empty, at any place") {
  const auto processor = Load(ModelOf({.charsmap = Charsmap({{"\xe2\x80\x8b", ""}})}));
  CHECK(Normalize(processor,
                  "a\xe2\x80\x8b"
                  "b") == MARK "ab");
  SUBCASE("it does not end a run of spaces") {
    CHECK(Normalize(processor, "a \xe2\x80\x8b b") == MARK "a" MARK "b");
  }
  SUBCASE("before all else it leaves the spaces after it to be dropped") {
    CHECK(Normalize(processor, "\xe2\x80\x8b  a") == MARK "a");
  }
  SUBCASE("alone it leaves the prefix, which is stripped") {
    const Normalized result = NormalizeWithOffsets(processor, "\xe2\x80\x8b");
    CHECK(result.text.empty());
    CHECK(Digits(result.offsets) == "0");
  }
}

TEST_CASE("a rule that gives a space gives a space like any other") {
  const auto processor = Load(ModelOf(
      {.charsmap = Charsmap({{"\t", " "}, {"\xe3\x80\x80", " "}, {"=", "  "}, {"_", " x "}})}));
  CHECK(Normalize(processor, "\t a\t\xe3\x80\x80 b\t") == MARK "a" MARK "b");
  SUBCASE("leading prefixes are dropped when they are one space exactly") {
    CHECK(Normalize(processor, "=a") == MARK "a");
    CHECK(Normalize(processor, "=") == "");
  }
  SUBCASE("within a replacement spaces stay, at its front they collapse") {
    CHECK(Normalize(processor, "a _b") == MARK "a" MARK "x" MARK "b");
    CHECK(Normalize(processor, "a=b") == MARK "a" MARK MARK "b");
  }
}

TEST_CASE("one character may become eighteen") {
  const std::string eighteen(18, 'x');
  const auto processor = Load(
      ModelOf({.charsmap = Charsmap({{"\xef\xb7\xba", eighteen}}), .add_dummy_prefix = false}));
  const Normalized result = NormalizeWithOffsets(processor,
                                                 "\xef\xb7\xba"
                                                 "a");
  CHECK(result.text == eighteen + "a");
  CHECK(Digits(result.offsets) == std::string(18, '0') + "34");
}

TEST_CASE("user-defined pieces pass unchanged, the longest first") {
  const auto processor = Load(ModelOf({.charsmap = Charsmap({{"<", "("}, {"A", "a"}})}, false,
                                      {"<A>", "<A>A", "\xef\xbc\xa1"}));
  CHECK(Normalize(processor, "<A>") == MARK "<A>");
  CHECK(Normalize(processor, "A<A>AA") == MARK "a<A>Aa");
  CHECK(Normalize(processor, "<AA") == MARK "(aa");
  CHECK(Normalize(processor, "\xef\xbc\xa1") == MARK "\xef\xbc\xa1");
}

TEST_CASE("spaces inside a user-defined piece are marked, those at its front go") {
  const auto processor = Load(ModelOf({}, false, {"x y", " z", "\n\n"}));
  CHECK(Normalize(processor, "x y") == MARK "x" MARK "y");
  CHECK(Normalize(processor, "a  z") == MARK "a" MARK "z");
  CHECK(Normalize(processor, "\n\n") == MARK "\n\n");
  CHECK(Digits(NormalizeWithOffsets(processor, "x y").offsets) ==
        "000"
        "0"
        "000"
        "0"
        "3");
}

TEST_CASE("a user-defined piece of one space is dropped like a space") {
  const auto processor = Load(ModelOf({}, false, {" "}));
  CHECK(Normalize(processor, "  a  b ") == MARK "a" MARK "b");
}

TEST_CASE("the default flags are those of sentencepiece_model.proto") {
  TinyModel model = ModelOf({});
  model.normalizer.reset();
  const auto processor = Load(model);
  CHECK(Normalize(processor, "  a  b ") == MARK "a" MARK "b");
}

TEST_CASE("what may skip normalization comes out as it went in") {
  const std::string_view inputs[] = {"",         "a",     "hello",       " ", "a b", "\xe2\x96\x81",
                                     "\xc3\xa9", "a\xff", "\xed\xa0\x80"};
  size_t skipped = 0;
  for (int flags = 0; flags < 16; ++flags) {
    const bool prefix = flags & 1, remove = flags & 2, escape = flags & 4;
    const auto processor = Load(ModelOf({.add_dummy_prefix = prefix,
                                         .remove_extra_whitespaces = remove,
                                         .escape_whitespaces = escape},
                                        flags & 8));
    for (const std::string_view input : inputs) {
      const bool is_utf8 = input != "a\xff" && input != "\xed\xa0\x80";
      const bool has_space = input.find(' ') != std::string_view::npos;
      const bool stays = !prefix && !(escape && has_space) && is_utf8;
      const bool may_skip = processor.CanSkipNormalization(input);
      // With `remove` it may, where there is nothing to remove.
      if (!remove) CHECK(may_skip == (input.empty() || stays));
      if (may_skip) CHECK(Normalize(processor, input) == input);
      CHECK(Encode(processor, input) == EncodeNormalized(processor, Normalize(processor, input)));
      skipped += may_skip;
    }
  }
  MESSAGE(skipped << " texts may skip it");
  const auto mapping = Load(ModelOf({.charsmap = Charsmap({{"a", "b"}}),
                                     .add_dummy_prefix = false,
                                     .remove_extra_whitespaces = false}));
  CHECK_FALSE(mapping.CanSkipNormalization("a"));
  CHECK(mapping.CanSkipNormalization("x"));
}

TEST_CASE("long texts are normalized as their parts are") {
  const auto processor =
      Load(ModelOf({.charsmap = Charsmap({{"e\xcc\x81", "\xc3\xa9"}, {"\t", " "}}),
                    .add_dummy_prefix = false,
                    .remove_extra_whitespaces = false}));
  const std::string part = "caf e\xcc\x81\xc3\xa9\tx\xffyz\xe2\x96\x81 ";
  const std::string normalized_part = Normalize(processor, part);
  std::string text;
  std::string normalized;
  for (int i = 0; i < 5000; ++i) {
    text += part;
    normalized += normalized_part;
  }
  CHECK(Normalize(processor, text) == normalized);
}

}  // namespace sentencepiece::lite
