// No text takes more than linear-logarithmic time: told by the steps of the runtime,
// not by a clock.
//
// A step is a basic block of the runtime's code that was executed: this program has a
// runtime of its own, in which the compiler puts a call into each of them
// (-fsanitize-coverage=trace-pc, https://clang.llvm.org/docs/SanitizerCoverage.html).
// What the C library does in one call, such as memcpy, does not count.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "random_text.h"
#include "tiny_model.h"

namespace {
uint64_t steps = 0;
}  // namespace

extern "C" void __sanitizer_cov_trace_pc() { ++steps; }

namespace sentencepiece::lite {
namespace {

// A text is compared with its first tenth, of which it may take this many times the
// steps: n log n of 200 KB is 12.3 times that of 20 KB, and of 10 MB less.
constexpr size_t kTenth = 10;
constexpr double kMostGrowth = 12.5;

constexpr size_t kLongText = 10000000;
// SPMLITE_TEST_ALL_STEPS: every call on every model takes the long texts, for minutes.
size_t TextSize() { return std::getenv("SPMLITE_TEST_ALL_STEPS") ? kLongText : 200000; }

// Letters alone and in pairs, runs of `a` and of marks, then what continues one of
// them by a letter, so that BPE comes to it.
std::vector<TinyPiece> Words(uint32_t count) {
  constexpr size_t kLongestRun = 8, kLongestWord = 12;
  RandomText random(11);
  std::set<std::string> seen;
  std::vector<TinyPiece> pieces;
  const auto add = [&](const std::string& piece) {
    if (seen.insert(piece).second) pieces.push_back({piece, -static_cast<float>(pieces.size())});
  };
  for (char one = 'a'; one <= 'z'; ++one) add(std::string(1, one));
  std::string letters, marks;
  for (size_t length = 1; length <= kLongestRun; ++length) {
    add(letters += 'a');
    add(marks += MARK);
  }
  while (pieces.size() < count) {
    const std::string& begin = pieces[random.Below(static_cast<uint32_t>(pieces.size()))].piece;
    if (begin.size() < kLongestWord) add(begin + static_cast<char>('a' + random.Below(26)));
  }
  return pieces;
}

// Every run of `a` and of marks up to a length, and those that begin or end in `b`, with
// scores by chance: runs merge in any order, and many that begin come to nothing.
std::vector<TinyPiece> Runs(PieceType type) {
  constexpr size_t kLongestRun = 16;
  RandomText random(12);
  std::vector<TinyPiece> pieces;
  for (char one = 'b'; one <= 'z'; ++one) pieces.push_back({std::string(1, one), -1});
  std::string letters, marks;
  for (size_t length = 1; length <= kLongestRun; ++length) {
    letters += 'a';
    marks += MARK;
    for (const std::string& piece : {letters, marks, letters + 'b', 'b' + letters}) {
      const PieceType type_of_one = length == 1 ? PieceType_NORMAL : type;
      pieces.push_back({piece, -static_cast<float>(random.Below(1000)) / 8, type_of_one});
    }
  }
  return pieces;
}

// Rules of one character and of two, that leave nothing and that leave much, and those
// that runs begin like and do not end like.
std::string Rules() {
  constexpr size_t kLongestRun = 16;
  return Charsmap({{"a", "A"},
                   {"b", ""},
                   {"ca", "\xe2\x84\xa2"},
                   {"z", "eighteen letters.."},
                   {std::string(kLongestRun, 'a') + "!", "?"},
                   {std::string(kLongestRun, ' ') + "!", "?"}});
}

struct NamedModel {
  std::string name;
  TinyModel model;
  // How many steps a byte of a text may take: about twice what gcc counts.
  double most_steps;
};

std::vector<NamedModel> RealSizeModels() {
  const std::vector<TinyPiece> words = Words(32000);
  return {{"BPE, 32,000 pieces", PlainModel(ModelType_BPE, words), 1000},
          {"Unigram, 32,000 pieces", PlainModel(ModelType_UNIGRAM, words), 1000},
          {"WORD, 32,000 pieces", PlainModel(ModelType_WORD, words), 200},
          {"CHAR, 32,000 pieces", PlainModel(ModelType_CHAR, words), 200}};
}

std::vector<NamedModel> NastyModels() {
  std::vector<NamedModel> models = {
      {"BPE of runs", PlainModel(ModelType_BPE, Runs(PieceType_NORMAL)), 1200},
      {"BPE of UNUSED runs", PlainModel(ModelType_BPE, Runs(PieceType_UNUSED)), 2000},
      {"Unigram of runs", PlainModel(ModelType_UNIGRAM, Runs(PieceType_NORMAL)), 2000},
      {"Unigram behind a charsmap", PlainModel(ModelType_UNIGRAM, Words(1000)), 600}};
  models.back().model.normalizer = TinyNormalizerSpec{.charsmap = Rules()};
  return models;
}

std::vector<std::pair<std::string, std::string>> Texts(size_t size) {
  RandomText random(13);
  std::string letters;
  for (size_t i = 0; i < size; ++i) letters += static_cast<char>('a' + random.Below(26));
  return {{"one letter", std::string(size, 'a')},
          {"random letters", letters},
          {"spaces", std::string(size, ' ')}};
}

// What is counted of a text; a call counts its own steps, and prepares in others.
using Call = std::function<uint64_t(const SentencePieceLiteProcessor&, std::string_view)>;
using Calls = std::vector<std::pair<std::string, Call>>;

template <typename Run>
uint64_t StepsOf(Run&& run) {
  const uint64_t before = steps;
  CHECK(run() == StatusCode::kOk);
  return steps - before;
}

uint64_t StepsToEncode(const SentencePieceLiteProcessor& processor, std::string_view text) {
  std::vector<int> ids;
  return StepsOf([&] { return processor.Encode(text, &ids); });
}

uint64_t StepsToEncodeCached(const SentencePieceLiteProcessor& processor, std::string_view text) {
  TokenCache cache(TokenCache::Capacity::kTiny, 1);
  std::vector<int> ids;
  return StepsOf([&] { return CachedSentencePieceLite::Encode(processor, cache, text, &ids); });
}

uint64_t StepsToEncodeWithSpans(const SentencePieceLiteProcessor& processor,
                                std::string_view text) {
  std::vector<int> ids;
  std::vector<TokenSpan> spans;
  return StepsOf([&] { return processor.EncodeWithSpans(text, OffsetUnit::kUtf16, &ids, &spans); });
}

uint64_t StepsToNormalize(const SentencePieceLiteProcessor& processor, std::string_view text) {
  std::string normalized;
  std::vector<size_t> offsets;
  return StepsOf([&] { return processor.Normalize(text, &normalized, &offsets); });
}

uint64_t StepsToDecode(const SentencePieceLiteProcessor& processor, std::string_view text) {
  const std::vector<int> ids = Encode(processor, text);
  std::string decoded;
  return StepsOf([&] { return processor.Decode(ids, &decoded); });
}

Calls AllCalls() {
  return {{"encode", StepsToEncode},
          {"encode with a cache", StepsToEncodeCached},
          {"encode with spans", StepsToEncodeWithSpans},
          {"normalize", StepsToNormalize},
          {"decode", StepsToDecode}};
}

void CheckSteps(const std::vector<NamedModel>& models, const Calls& calls, size_t size) {
  const auto texts = Texts(size);
  for (const auto& [name, model, most_steps] : models) {
    const SentencePieceLiteProcessor processor = Load(model);
    double worst_steps = 0, worst_growth = 0;
    for (const auto& [call_name, call] : calls) {
      for (const auto& [text_name, text] : texts) {
        INFO(name << ", " << call_name << ", " << text_name);
        const std::string_view tenth = std::string_view(text).substr(0, size / kTenth);
        const auto few = static_cast<double>(call(processor, tenth));
        const auto many = static_cast<double>(call(processor, text));
        CHECK(many / static_cast<double>(size) < most_steps);
        CHECK(many / few < kMostGrowth);
        worst_steps = std::max(worst_steps, many / static_cast<double>(size));
        worst_growth = std::max(worst_growth, many / few);
      }
    }
    MESSAGE(name << ", " << size << " bytes: at most " << worst_steps << " steps a byte, and "
                 << worst_growth << " times those of a tenth");
  }
}

}  // namespace

TEST_CASE("encoding 10 MB takes no more than linear-logarithmic time") {
  CheckSteps(RealSizeModels(), {{"encode", StepsToEncode}}, kLongText);
}

TEST_CASE("no call takes more than linear-logarithmic time, whatever the model") {
  CheckSteps(RealSizeModels(), AllCalls(), TextSize());
  CheckSteps(NastyModels(), AllCalls(), TextSize());
}

}  // namespace sentencepiece::lite
