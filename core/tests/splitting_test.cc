// Texts cut to a number of tokens.

#include "splitting.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "random_text.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

using Strings = std::vector<std::string>;

// Words of two tokens each, and a space of its own.
TinyModel Words(bool add_dummy_prefix) {
  TinyModel model = PlainModel(
      ModelType_BPE, {{MARK "a", -1}, {"bc", -2}, {"a", -3}, {"b", -4}, {"c", -5}, {MARK, -6}});
  AddBytePieces(&model);
  model.normalizer->add_dummy_prefix = add_dummy_prefix;
  return model;
}

std::string Truncated(const SentencePieceLiteProcessor& processor, std::string_view text,
                      size_t max_tokens) {
  TokenCache cache;
  TextPart part;
  CHECK(Truncate(processor, cache, text, max_tokens, OffsetUnit::kByte, &part) == StatusCode::kOk);
  CHECK(part.span.begin == 0);
  const std::string front(text.substr(0, part.span.end));
  CHECK(Encode(processor, front).size() == part.token_count);
  CHECK(part.token_count <= max_tokens);
  return front;
}

Strings Parts(const SentencePieceLiteProcessor& processor, std::string_view text, size_t max_tokens,
              size_t overlap = 0) {
  TokenCache cache;
  std::vector<TextPart> parts;
  CHECK(Split(processor, cache, text, max_tokens, overlap, OffsetUnit::kByte, &parts) ==
        StatusCode::kOk);
  Strings texts;
  for (const TextPart& part : parts) {
    texts.emplace_back(text.substr(part.span.begin, part.span.end - part.span.begin));
    CHECK(Encode(processor, texts.back()).size() == part.token_count);
  }
  return texts;
}

}  // namespace

TEST_CASE("a front of a text ends where a token does") {
  const auto processor = Load(Words(true));
  CHECK(Truncated(processor, "abc abc", 9) == "abc abc");
  CHECK(Truncated(processor, "abc abc", 3) == "abc a");
  CHECK(Truncated(processor, "abc abc", 2) == "abc");
  CHECK(Truncated(processor, "abc abc", 1) == "a");
  CHECK(Truncated(processor, "abc abc", 0).empty());
  CHECK(Truncated(processor, "", 3).empty());
}

TEST_CASE("the bytes of a character stay together") {
  const auto processor = Load(Words(false));
  CHECK(Truncated(processor, "a\xe6\x97\xa5", 4) == "a\xe6\x97\xa5");
  CHECK(Truncated(processor, "a\xe6\x97\xa5", 3) == "a");
  CHECK(Truncated(processor, "\xe6\x97\xa5", 2).empty());
  CHECK(Parts(processor, "\xe6\x97\xa5\xe6\x97\xa5", 1) == Strings{"\xe6\x97\xa5", "\xe6\x97\xa5"});
}

TEST_CASE("a model that puts a space in front is cut at spaces, which are left out") {
  const auto processor = Load(Words(true));
  CHECK(Parts(processor, "abc abc abc", 4) == Strings{"abc abc", "abc"});
  CHECK(Parts(processor, "abc abc abc", 5) == Strings{"abc abc", "abc"});
  SUBCASE("without spaces the number of tokens is kept") {
    CHECK(Parts(processor, "bcbcbc", 2) == Strings{"bc", "bc", "bc"});
  }
}

TEST_CASE("a model that does not is cut anywhere, and loses nothing") {
  const auto processor = Load(Words(false));
  CHECK(Parts(processor, "abc abc abc", 4) == Strings{"abc abc", " abc"});
  CHECK(Parts(processor, "abc abc abc", 3) == Strings{"abc a", "bc abc"});
}

TEST_CASE("parts overlap by whole tokens") {
  CHECK(Parts(Load(Words(false)), "abcabcabc", 4, 2) == Strings{"abcabc", "abcabc"});
  CHECK(Parts(Load(Words(true)), "abc abc abc", 4, 2) == Strings{"abc abc", "abc abc"});
}

TEST_CASE("spans of parts count in the unit that is asked for") {
  const auto processor = Load(Words(false));
  TokenCache cache;
  std::vector<TextPart> parts;
  const std::string_view text =
      "\xf0\x9f\xa6\x99"
      "abc";
  CHECK(Split(processor, cache, text, 4, 0, OffsetUnit::kUtf16, &parts) == StatusCode::kOk);
  CHECK(parts.size() == 2);
  CHECK(parts[0].span == TokenSpan{0, 2});
  CHECK(parts[1].span == TokenSpan{2, 5});
}

TEST_CASE("what cannot be asked for") {
  const auto processor = Load(Words(false));
  TokenCache cache;
  std::vector<TextPart> parts;
  for (const auto& [max_tokens, overlap] : {std::pair<size_t, size_t>{0, 0}, {3, 3}}) {
    CHECK(Split(processor, cache, "abc", max_tokens, overlap, OffsetUnit::kByte, &parts) ==
          StatusCode::kInvalidArgument);
  }
  CHECK(Split(processor, cache, "abc", 3, 0, OffsetUnit::kByte, nullptr) ==
        StatusCode::kInvalidArgument);
}

}  // namespace sentencepiece::lite
