// One processor, many threads: what it holds is never written after loading.

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "random_text.h"
#include "sentencepiece_extra.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 20;

// What one thread makes of a text by way of every call.
std::vector<int> Use(const SentencePieceLiteProcessor& processor, std::string_view text) {
  std::vector<int> ids;
  std::vector<TokenSpan> spans;
  processor.EncodeWithSpans(text, OffsetUnit::kUtf16, &ids, &spans);
  static thread_local TokenCache cache(TokenCache::Capacity::kTiny);
  CachedSentencePieceLite::Encode(processor, cache, text, &ids);
  std::string normalized;
  processor.Normalize(text, &normalized);
  std::vector<std::string_view> chunks;
  processor.PretokenizeAtSafeBoundaries(normalized, &chunks);
  UniformSampler sampler(chunks.size());
  std::vector<int> sampled;
  processor.SampleNormalized(normalized, 0.5f, sampler, &sampled);
  std::string decoded;
  processor.Decode(ids, &decoded);
  StreamingDecoder decoder(processor);
  for (const int id : sampled) decoder.Add(id, &decoded);
  decoder.Finish(&decoded);
  processor.PieceToId(processor.IdToPiece(static_cast<int>(ids.size())));
  return ids;
}

}  // namespace

TEST_CASE("eight threads share one processor, each with a cache of its own") {
  std::atomic<int> encoded = 0;
  for (const ModelType type : {ModelType_UNIGRAM, ModelType_BPE, ModelType_WORD, ModelType_CHAR}) {
    RandomText random(1);
    TinyModel model = PlainModel(type, random.Pieces(60));
    AddBytePieces(&model);
    const auto processor = Load(model);
    std::vector<std::string> texts;
    std::vector<std::vector<int>> expected;
    for (int i = 0; i < 40; ++i) {
      texts.push_back(random.Text(100));
      expected.push_back(Use(processor, texts.back()));
    }
    std::atomic<int> differing = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&] {
        for (int round = 0; round < kRounds; ++round) {
          for (size_t i = 0; i < texts.size(); ++i) {
            differing += Use(processor, texts[i]) != expected[i];
            ++encoded;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(differing == 0);
  }
  MESSAGE(encoded.load() << " texts encoded");
  CHECK(encoded == 4 * kThreads * kRounds * 40);
}

TEST_CASE("the cache of a thread serves two processors in turn") {
  RandomText random(3);
  const auto one = Load(PlainModel(ModelType_BPE, random.Pieces(60)));
  const auto other = Load(PlainModel(ModelType_UNIGRAM, random.Pieces(60)));
  const std::string text = random.Text(100);
  const auto expected_of_one = Use(one, text), expected_of_other = Use(other, text);
  std::atomic<int> differing = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        differing += Use(one, text) != expected_of_one;
        differing += Use(other, text) != expected_of_other;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(differing == 0);
}

TEST_CASE("processors of one buffer come and go in several threads") {
  RandomText random(2);
  const std::string blob = Convert(PlainModel(ModelType_BPE, random.Pieces(60)));
  const std::string text = random.Text(100);
  const auto expected = Use(SentencePieceLiteProcessor{std::string_view(blob)}, text);
  std::atomic<int> differing = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        const SentencePieceLiteProcessor processor{std::string_view(blob)};
        differing += Use(processor, text) != expected;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(differing == 0);
}

}  // namespace sentencepiece::lite
