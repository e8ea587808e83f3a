// tokenizer.json: JSON that is read and JSON that is none, models that come out, and what
// damage does. tests/formats/test_tokenizer_json.py has what each field means.

#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "from_flatbuffer.h"
#include "json.h"
#include "model_proto.h"
#include "sentencepiece_model_converters.h"
#include "tiny_model.h"
#include "tokenizer_json.h"

namespace sentencepiece::lite {
namespace {

std::string FaultOfJson(std::string_view text) { return JsonDocument().Parse(text); }

std::vector<std::string> Texts(const Json& array) {
  std::vector<std::string> texts;
  for (const Json element : array) texts.emplace_back(element.text());
  return texts;
}

// A Unigram tokenizer of <unk>, ▁, a and b, with `more` in its object.
std::string Tokenizer(std::string_view more = "") {
  return std::string(R"({"added_tokens": [{"id": 0, "content": "<unk>", "special": true}],)")
      .append(R"("pre_tokenizer": {"type": "Metaspace", "replacement": "▁",)")
      .append(R"("prepend_scheme": "always"}, )")
      .append(more)
      .append(R"("model": {"type": "Unigram", "unk_id": 0,)")
      .append(R"("vocab": [["<unk>", 0], ["\u2581", -2.25], ["a", -3e0], ["b", -0.5]]}})");
}

TEST_CASE("values of every type are found by name and in their order") {
  const std::string text =
      "\xef\xbb\xbf {\"a\": [1, \"two\", null, [], {}], \"b\": {\"c\": true}, \"b\": -1.5e+3}\n";
  JsonDocument document;
  REQUIRE(document.Parse(text).empty());
  const Json root = document.root();
  CHECK(Texts(root["a"]) == std::vector<std::string>{"", "two", "", "", ""});
  CHECK(root["b"].source() == "-1.5e+3");  // the last of a name
  CHECK(root["c"].Is(Json::Type::kNothing));
  CHECK(root["a"]["c"]["d"].IsNone());
  uint32_t index = 7;
  CHECK((*root["a"].begin()).ReadIndex(&index));
  CHECK(index == 1);
  CHECK_FALSE(root["b"].ReadIndex(&index));
}

TEST_CASE("escapes stand for what they stand for") {
  JsonDocument document;
  REQUIRE(document.Parse(R"(["\"\\\/\b\f\n\r\t", "\u00e9\u2581", "\ud83e\udd99!", "é"])").empty());
  CHECK(Texts(document.root()) == std::vector<std::string>{"\"\\/\b\f\n\r\t", "é▁", "🦙!", "é"});
}

TEST_CASE("what is no JSON is refused at its byte") {
  const std::pair<const char*, const char*> kCases[] = {
      {"", "there is no value at byte 0"},
      {"[1,]", "there is no value at byte 3"},
      {"[1 2]", "there is no comma at byte 3"},
      {"{1: 2}", "there is no name at byte 1"},
      {"{\"a\" 2}", "there is no colon at byte 5"},
      {"[01]", "there is no value"},
      {"[1.]", "there is no value"},
      {"[+1]", "there is no value at byte 1"},
      {"nul", "there is no value at byte 0"},
      {"[1] 2", "there is more at byte 4"},
      {"\"a", "a string has no end at byte 2"},
      {"\"a\n\"", "a string has no end at byte 2"},
      {"\"\\x\"", "there is no such escape"},
      {"\"\\u12G4\"", "there is no such escape"},
      {"\"\\ud800\"", "half of a surrogate pair"},
      {"\"\\ud800\\u0041\"", "half of a surrogate pair"},
      {"\"\\udc00\"", "half of a surrogate pair"},
      {"\"\xff\"", "it is not UTF-8"},
  };
  for (const auto& [text, fault] : kCases) {
    CAPTURE(text);
    CHECK(FaultOfJson(text).starts_with(fault));
  }
  CHECK(FaultOfJson(std::string(2000, '[')).starts_with("values nest too deep"));
}

TEST_CASE("a tokenizer.json becomes a model that loads") {
  const StatusOr<TokenizerJsonModel> read = TokenizerJsonToModel(Tokenizer());
  REQUIRE_MESSAGE(read.ok(), std::string(read.message()));
  CHECK((*read).notes.empty());
  const StatusOr<std::string> blob = ToFlatbuffer((*read).model);
  REQUIRE_MESSAGE(blob.ok(), std::string(blob.message()));
  const SentencePieceLiteProcessor processor{std::string_view(*blob)};
  std::vector<int> ids;
  REQUIRE(processor.Encode("b  ax", &ids) == StatusCode::kOk);
  CHECK(ids == std::vector<int>{1, 3, 1, 1, 2, 0});
  CHECK(processor.GetScore(1) == -2.25f);
}

TEST_CASE("scores are the nearest float32 of what the file says") {
  const StatusOr<TokenizerJsonModel> read = TokenizerJsonToModel(
      R"({"added_tokens": [], "pre_tokenizer": {"type": "Metaspace", "replacement": "▁"},
      "model": {"type": "Unigram", "unk_id": 0, "vocab": [["u", 0.0], ["a", -3.4635426998138428],
      ["b", 1e-45], ["c", 16777217.0]]}})");
  REQUIRE_MESSAGE(read.ok(), std::string(read.message()));
  const StatusOr<SerializedModel> model = ReadModelProto((*read).model);
  REQUIRE(model.ok());
  CHECK((*model).pieces[1].score == -3.4635427f);
  CHECK((*model).pieces[2].score == 1e-45f);
  CHECK((*model).pieces[3].score == 16777216.0f);
}

TEST_CASE("damage is refused, wherever it is") {
  const std::string whole = Tokenizer(R"("normalizer": {"type": "Strip", "strip_right": false},)");
  size_t refused = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    refused += !TokenizerJsonToModel(std::string_view(whole).substr(0, size)).ok();
  }
  CHECK(refused == whole.size());
  // A byte that is another one may say something else; it must not do harm.
  size_t read = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const char c : {'"', '{', ']', '0', '\\', ' ', '\x80'}) {
      std::string changed = Tokenizer();
      if (i >= changed.size()) continue;
      changed[i] = c;
      const StatusOr<TokenizerJsonModel> model = TokenizerJsonToModel(changed);
      if (!model.ok()) continue;
      ++read;
      (void)ToFlatbuffer((*model).model);
    }
  }
  std::printf("%zu cut off, %zu changed and read all the same\n", refused, read);
}

TEST_CASE("a model comes back from its flatbuffer") {
  const StatusOr<TokenizerJsonModel> read = TokenizerJsonToModel(Tokenizer());
  const StatusOr<std::string> blob = ToFlatbuffer((*read).model);
  REQUIRE(blob.ok());
  const StatusOr<std::string> back = FromFlatbuffer(*blob);
  REQUIRE_MESSAGE(back.ok(), std::string(back.message()));
  CHECK(*ToFlatbuffer(*back) == *blob);
  CHECK_FALSE(FromFlatbuffer(std::string_view(*blob).substr(0, 40)).ok());
}

}  // namespace
}  // namespace sentencepiece::lite
