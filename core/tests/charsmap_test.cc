// The rules of a normalizer, to bytes and back.

#include "charsmap.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

std::string Compiled(std::vector<CharsmapRule> rules) {
  const auto charsmap = CompileCharsmap(std::move(rules));
  CHECK(charsmap.message() == std::string_view());
  return *charsmap;
}

std::string FaultOf(std::vector<CharsmapRule> rules) {
  const auto charsmap = CompileCharsmap(std::move(rules));
  CHECK(charsmap.code() == StatusCode::kInvalidArgument);
  return std::string(charsmap.message());
}

}  // namespace

TEST_CASE("a model normalizes by rules that were compiled") {
  TinyModel model = PlainModel(ModelType_CHAR, {{"b", 0}, {"x", 0}});
  model.normalizer->charsmap = Compiled({{"ab", "x"}, {"a", "b"}, {"c", ""}});
  const auto processor = Load(model);
  std::string normalized;
  CHECK(processor.Normalize("abacb", &normalized) == StatusCode::kOk);
  CHECK(normalized == "xbb");
}

TEST_CASE("the rules come back, sorted") {
  const auto rules = DecompileCharsmap(Compiled({{"\xc3\xa9", "ee"}, {"ab", ""}, {"a", "ee"}}));
  CHECK(rules.ok());
  CHECK((*rules).size() == 3);
  CHECK((*rules)[0].from == "a");
  CHECK((*rules)[1].from == "ab");
  CHECK((*rules)[1].to.empty());
  CHECK((*rules)[2].from == "\xc3\xa9");
  CHECK((*rules)[2].to == "ee");
}

TEST_CASE("rules that a charsmap cannot say") {
  CHECK(FaultOf({}) == "there are no rules");
  CHECK(FaultOf({{"", "a"}}) == "a rule replaces nothing");
  CHECK(FaultOf({{"a", "a"}}) == "a rule replaces \"a\" by itself");
  CHECK(FaultOf({{"a", "b"}, {"a", "c"}}) == "there are two rules for \"a\"");
  CHECK(FaultOf({{"\xff", "b"}}) == "a rule is not UTF-8, or holds a NUL");
  CHECK(FaultOf({{"a", std::string(1, '\0')}}) == "a rule is not UTF-8, or holds a NUL");
  std::vector<CharsmapRule> alike;
  for (size_t length = 1; length <= 31; ++length) alike.push_back({std::string(length, 'a'), "b"});
  Compiled(alike);
  alike.push_back({std::string(32, 'a'), "b"});
  CHECK(FaultOf(alike).starts_with("more than 31 rules begin like"));
}

TEST_CASE("a damaged charsmap is refused, wherever it is cut off or changed") {
  const std::string charsmap = Compiled({{"ab", "x"}, {"a", "b"}});
  for (size_t size = 0; size < charsmap.size(); ++size) {
    CHECK_FALSE(DecompileCharsmap(std::string_view(charsmap).substr(0, size)).ok());
  }
  int refused = 0;
  for (size_t place = 0; place < charsmap.size(); ++place) {
    std::string changed = charsmap;
    changed[place] = static_cast<char>(changed[place] ^ 0xFF);
    refused += !DecompileCharsmap(changed).ok();
  }
  MESSAGE(refused << " of " << charsmap.size() << " changes are refused, the others do no harm");
  CHECK(refused > 0);
}

}  // namespace sentencepiece::lite
