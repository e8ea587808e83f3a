// The token cache: never another id than without it.

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "random_text.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

std::vector<int> EncodeCached(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                              std::string_view text) {
  std::vector<int> ids;
  CHECK(CachedSentencePieceLite::Encode(processor, cache, text, &ids) == StatusCode::kOk);
  return ids;
}

}  // namespace

TEST_CASE("the seed and the size of a cache") {
  CHECK(TokenCache().capacity() == 32768);
  CHECK(TokenCache(TokenCache::Capacity::kTiny).num_pairs() == 1024);
  CHECK(TokenCache(uint64_t{7}).seed() == 7);
  CHECK(TokenCache(TokenCache::Capacity::kSmall, 9).seed() == 9);
  CHECK(TokenCache().seed() != 0);
  CHECK(TokenCache().seed() != TokenCache().seed());
}

TEST_CASE("encoding of normalized text goes through the cache as well") {
  const auto processor =
      Load(PlainModel(ModelType_BPE, {{"a", -9}, {"b", -9}, {"ab", -1}, {MARK "a", -2}}));
  TokenCache cache(TokenCache::Capacity::kTiny);
  for (int i = 0; i < 3; ++i) {
    std::vector<int> ids;
    CHECK(CachedSentencePieceLite::EncodeNormalized(processor, cache, MARK "abab", &ids) ==
          StatusCode::kOk);
    CHECK(ids == EncodeNormalized(processor, MARK "abab"));
  }
  std::vector<int> ids = {1};
  CHECK(CachedSentencePieceLite::Encode(processor, cache, "a", nullptr) ==
        StatusCode::kInvalidArgument);
  CHECK(CachedSentencePieceLite::Encode(SentencePieceLiteProcessor{std::shared_ptr<std::string>()},
                                        cache, "a", &ids) == StatusCode::kFailedPrecondition);
  CHECK(ids.empty());
}

TEST_CASE("a run of unknowns is one, across chunks that are remembered") {
  const auto processor = Load(PlainModel(ModelType_BPE, {{"a", -9}, {"b", -9}, {"ab", -1}}));
  TokenCache cache(TokenCache::Capacity::kTiny);
  for (int i = 0; i < 3; ++i) {
    CHECK(EncodeCached(processor, cache, "abxyzabx") == std::vector<int>{3, 0, 3, 0});
  }
}

TEST_CASE("row 8.11: Unigram with exact ties, cached, goes by float32 from the text's start") {
  const auto processor = Load(PlainModel(ModelType_UNIGRAM, {{"a", -0.1f},
                                                             {"aa", -0.2f},
                                                             {"b", -3.3f},
                                                             {"bb", -6.6f},
                                                             {MARK, -7.7f},
                                                             {MARK "a", -7.8f}}));
  TokenCache cache(TokenCache::Capacity::kTiny);
  RandomText random(1);
  size_t texts = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (uint32_t length = 1 + random.Below(300); length > 0; --length) {
      text += "aaab "[random.Below(5)];
    }
    REQUIRE(EncodeCached(processor, cache, text) == Encode(processor, text));
    ++texts;
  }
  MESSAGE(texts << " texts");
}

TEST_CASE("a long text whose chunks are all settled is re-centred in the cache as without it") {
  // The words are settled after any score, so that the cache alone tells the score of the text,
  // until one with a tie asks for it.
  const auto processor = Load(PlainModel(ModelType_UNIGRAM, {{MARK "abc", -7.3f},
                                                             {MARK "c", -11.9f},
                                                             {MARK "bb", -9.1f},
                                                             {"a", -3.1f},
                                                             {"aa", -6.2f},
                                                             {MARK "a", -3.3f},
                                                             {MARK, -0.2f}}));
  TokenCache cache(TokenCache::Capacity::kTiny);
  RandomText random(8);
  std::string text = "c";
  for (int i = 0; i < 200000; ++i) {
    constexpr const char* kWords[] = {" abc", " c", " bb"};
    text += random.Below(500) == 0 ? " aaaaa" : kWords[random.Below(3)];
  }
  const std::vector<int> ids = Encode(processor, text);
  CHECK(EncodeCached(processor, cache, text) == ids);
  CHECK(EncodeCached(processor, cache, text) == ids);
  MESSAGE(ids.size() << " ids");
}

TEST_CASE("scores that are re-centred come out of the cache as without it") {
  RandomText random(2);
  for (const float scale : {-700.7f, -33333.3f, -90000.9f, 90000.9f}) {
    const auto processor = Load(PlainModel(ModelType_UNIGRAM, {{"a", scale},
                                                               {"aa", 2 * scale},
                                                               {"b", scale / 3},
                                                               {"bb", scale / 1.5f},
                                                               {"aaa", 3 * scale},
                                                               {MARK "a", scale}}));
    TokenCache cache(TokenCache::Capacity::kTiny);
    for (int i = 0; i < 1000; ++i) {
      std::string text;
      for (uint32_t length = 1 + random.Below(60); length > 0; --length) {
        text += "aaabb "[random.Below(6)];
      }
      CAPTURE(text);
      REQUIRE(EncodeCached(processor, cache, text) == Encode(processor, text));
    }
  }
}

TEST_CASE("row 8.14: a key is compared whole, so that no two texts are taken for one") {
  // Far more texts than slots, of every length around those of a slot.
  const auto processor = Load(PlainModel(ModelType_BPE, RandomText(3).Pieces(60)));
  TokenCache cache(TokenCache::Capacity::kTiny, 1);
  RandomText random(4);
  size_t texts = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::string text = random.Text(12);
    REQUIRE(EncodeCached(processor, cache, text) == Encode(processor, text));
    ++texts;
  }
  MESSAGE(texts << " texts through 2,048 slots");
}

TEST_CASE("one cache serves several processors, and never mixes them up") {
  TokenCache cache(TokenCache::Capacity::kTiny);
  RandomText random(5);
  // One after another at the same place in memory, and two at a time.
  for (int i = 0; i < 50; ++i) {
    const ModelType types[] = {ModelType_BPE, ModelType_UNIGRAM, ModelType_WORD, ModelType_CHAR};
    const auto one = Load(PlainModel(types[i % 4], random.Pieces(40)));
    const auto other = Load(PlainModel(types[i / 4 % 4], random.Pieces(40)));
    for (int j = 0; j < 40; ++j) {
      const std::string text = random.Text(30);
      for (const auto* processor : {&one, &other, &one}) {
        REQUIRE(EncodeCached(*processor, cache, text) == Encode(*processor, text));
      }
    }
  }
}

TEST_CASE("a cache that forgets everything is as new") {
  const auto processor = Load(PlainModel(ModelType_BPE, {{"a", -9}, {"b", -9}, {"ab", -1}}));
  TokenCache cache;
  cache.Clear();
  CHECK(EncodeCached(processor, cache, "abab") == std::vector<int>{3, 3});
  cache.Clear();
  CHECK(EncodeCached(processor, cache, "abab") == std::vector<int>{3, 3});
}

}  // namespace sentencepiece::lite
