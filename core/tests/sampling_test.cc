// Sampling: what is drawn, how often, and the same for a seed everywhere.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "random_text.h"
#include "sentencepiece_extra.h"
#include "tiny_model.h"
#include "weight.h"

namespace sentencepiece::lite {
namespace {

constexpr int kDraws = 20000;

using Counts = std::map<std::string, int>;

Counts Draw(const SentencePieceLiteProcessor& processor, std::string_view text, float alpha) {
  UniformSampler sampler(42);
  Counts counts;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<int> ids;
    std::vector<std::string_view> pieces;
    CHECK(processor.SampleNormalized(text, alpha, sampler, &ids, &pieces) == StatusCode::kOk);
    ++counts[Join(pieces)];
  }
  return counts;
}

// Pearson's chi-square of the counts against the shares that are due.
double ChiSquare(const Counts& counts, const std::map<std::string, double>& shares) {
  double sum = 0;
  double whole = 0;
  for (const auto& [cut, share] : shares) whole += share;
  for (const auto& [cut, share] : shares) {
    const double due = kDraws * share / whole;
    const auto found = counts.find(cut);
    const double difference = (found == counts.end() ? 0 : found->second) - due;
    sum += difference * difference / due;
  }
  return sum;
}

// The score of each of the eight ways to cut "abcd" is the sum of its pieces.
TinyModel EightWays() {
  return PlainModel(ModelType_UNIGRAM, {{"a", -1},
                                        {"b", -1.5f},
                                        {"c", -0.5f},
                                        {"d", -1},
                                        {"ab", -2},
                                        {"bc", -1.2f},
                                        {"cd", -2.2f},
                                        {"abc", -3.5f},
                                        {"bcd", -2.8f},
                                        {"abcd", -4}});
}

std::map<std::string, double> SharesOfEightWays(float alpha) {
  const std::map<std::string, double> scores = {
      {"a|b|c|d", -4.0}, {"ab|c|d", -3.5}, {"a|bc|d", -3.2}, {"a|b|cd", -4.7},
      {"ab|cd", -4.2},   {"abc|d", -4.5},  {"a|bcd", -3.8},  {"abcd", -4.0}};
  std::map<std::string, double> shares;
  for (const auto& [cut, score] : scores) shares[cut] = std::exp(alpha * score);
  return shares;
}

// Of seven degrees of freedom, exceeded once in a thousand.
constexpr double kChiSquareLimit = 24.32;

}  // namespace

TEST_CASE("row 8.13: a Unigram segmentation is drawn in proportion to P^alpha, 0 is even") {
  const auto processor = Load(EightWays());
  for (const float alpha : {0.0f, 0.5f, 1.0f, 2.0f}) {
    const Counts counts = Draw(processor, "abcd", alpha);
    const double chi_square = ChiSquare(counts, SharesOfEightWays(alpha));
    CAPTURE(alpha);
    CHECK(counts.size() == 8);
    CHECK(chi_square < kChiSquareLimit);
    MESSAGE(kDraws << " draws, alpha " << alpha << ": chi-square " << chi_square);
  }
}

TEST_CASE("a large alpha draws the best, even where P^alpha is beyond a float") {
  for (const float alpha : {100.0f, 1e30f}) {
    CHECK(Draw(Load(EightWays()), "abcd", alpha) == Counts{{"a|bc|d", kDraws}});
  }
}

TEST_CASE("BPE leaves each merge out with the probability alpha") {
  const auto processor = Load(PlainModel(
      ModelType_BPE, {{"a", -9}, {"b", -9}, {"c", -9}, {"ab", -1}, {"abc", -2}, {"bc", -3}}));
  CHECK(Draw(processor, "abc", 0) == Counts{{"abc", kDraws}});
  CHECK(Draw(processor, "abc", 1) == Counts{{"a|b|c", kDraws}});
  // ab is kept or else bc; after ab, abc.
  const double alpha = 0.25, kept = 0.75;
  const std::map<std::string, double> shares = {{"abc", kept * kept + alpha * kept * kept},
                                                {"ab|c", kept * alpha},
                                                {"a|bc", alpha * kept * alpha},
                                                {"a|b|c", alpha * alpha}};
  const double chi_square = ChiSquare(Draw(processor, "abc", 0.25f), shares);
  MESSAGE("chi-square " << chi_square);
  CHECK(chi_square < 16.27);  // three degrees of freedom, once in a thousand
}

TEST_CASE("a seed draws the same on every platform") {
  UniformSampler sampler(1);
  const float first = sampler();
  // SplitMix64's first output for the seed 1 is 0x910A2DEC89025CC1.
  CHECK(first == static_cast<float>(0x910A2DEC89025CC1u >> 40) * 0x1p-24f);
  UniformSampler other(1);
  CHECK(other() == first);
  for (int i = 0; i < 100000; ++i) {
    const float number = sampler();
    REQUIRE(number >= 0);
    REQUIRE(number < 1);
  }
}

TEST_CASE("what is drawn is a segmentation of the text, whatever the text") {
  RandomText random(8);
  UniformSampler sampler(8);
  size_t texts = 0;
  for (const ModelType type : {ModelType_UNIGRAM, ModelType_BPE}) {
    for (int i = 0; i < 50; ++i) {
      const auto processor = Load(PlainModel(type, random.Pieces(40)));
      for (int j = 0; j < 10; ++j) {
        const std::string text = random.Text(200);
        std::vector<int> ids;
        std::vector<std::string_view> pieces;
        REQUIRE(processor.SampleNormalized(text, 0.3f, sampler, &ids, &pieces) == StatusCode::kOk);
        std::string joined;
        for (const std::string_view piece : pieces) joined += piece;
        REQUIRE(joined == text);
        ++texts;
      }
    }
  }
  MESSAGE(texts << " texts");
}

TEST_CASE("an alpha that is negative or not finite is refused, and so are WORD and CHAR") {
  UniformSampler sampler(1);
  std::vector<int> ids = {1};
  const auto processor = Load(EightWays());
  for (const float alpha : {-0.1f, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    CHECK(processor.SampleNormalized("a", alpha, sampler, &ids) == StatusCode::kInvalidArgument);
    CHECK(ids.empty());
  }
  for (const ModelType type : {ModelType_WORD, ModelType_CHAR}) {
    CHECK(Load(PlainModel(type, {{"a", -1}})).SampleNormalized("a", 1, sampler, &ids) ==
          StatusCode::kInvalidArgument);
  }
}

TEST_CASE("weights are powers of e, of any size") {
  for (const double power : {0.0, 1.0, -1.0, 0.34, 12.5, -700.0, 700.0}) {
    const double expected = std::exp(power);
    CHECK(Weight::Exp(power).In(Weight::Exp(0)) == doctest::Approx(expected).epsilon(1e-12));
  }
  const Weight small = Weight::Exp(-1e6);
  CHECK(small.In(small + small) == 0.5);
  CHECK(small.In(small * Weight::Exp(2)) == doctest::Approx(std::exp(-2)).epsilon(1e-9));
  CHECK(small.In(Weight::Exp(0)) == 0);
  Weight sum = Weight::Exp(0);
  for (int i = 1; i < 100000; ++i) sum = sum + Weight::Exp(0);
  CHECK(Weight::Exp(0).In(sum) == doctest::Approx(1e-5));
}

TEST_CASE("a seed draws as the oracle's SampleEncode does") {
  const auto processor = Load(EightWays());
  const auto draws = [&](int nbest_size, float alpha) {
    Counts counts;
    UniformSampler seeds(42);
    for (int i = 0; i < 1000; ++i) {
      Segmentation drawn;
      CHECK(SampleEncodeNormalized(processor, "abcd", nbest_size, alpha, DrawSeed(&seeds),
                                   &drawn) == StatusCode::kOk);
      ++counts[Join(drawn.pieces)];
    }
    return counts;
  };
  CHECK(draws(-1, 0).size() == 8);
  CHECK(draws(3, 0).size() == 3);
  CHECK(draws(1, 0) == Counts{{"a|bc|d", 1000}});
  CHECK(draws(0, 0) == Counts{{"a|bc|d", 1000}});
  CHECK(draws(-1, 0.5f) == draws(-1, 0.5f));

  Segmentation drawn;
  for (const float alpha : {-1.0f, std::numeric_limits<float>::infinity(), std::nanf("")}) {
    CHECK(SampleEncodeNormalized(processor, "a", 0, alpha, 1, &drawn) ==
          StatusCode::kInvalidArgument);
  }
  CHECK(SampleEncodeNormalized(processor, "a", kMaxNBestSize + 1, 0, 1, &drawn) ==
        StatusCode::kInvalidArgument);
}

}  // namespace sentencepiece::lite
