// spm_bench --model=M --text=T --mode=line|doc --reps=N --cache=medium
//
// Encodes a text on one thread and prints one JSON line: the best rates in MB/s of
// UTF-8 without a cache, with a fresh one and with a warm one, the load time, the
// tokens, and an FNV-1a hash over the ids (32 bits each) by which two engines can be
// told to agree.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "command_line.h"
#include "sentencepiece_lite.h"

namespace sentencepiece::lite {
namespace {

using spmlite_tools::Fail;
using spmlite_tools::Flag;
using spmlite_tools::ParseFlags;
using spmlite_tools::ReadFile;

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// http://www.isthe.com/chongo/tech/comp/fnv/ (FNV-1a), over whole ids.
class IdHash {
 public:
  void Add(int id) { hash_ = (hash_ ^ static_cast<uint32_t>(id)) * 1099511628211u; }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 1469598103934665603u;
};

// Lines end at \n; empty ones are left out. A document is one text.
std::vector<std::string_view> SplitText(std::string_view text, bool by_line) {
  if (!by_line) return {text};
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size());
    if (length > 0) lines.push_back(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return lines;
}

using Ids = std::vector<std::vector<int>>;

// The best time of several passes.
class BestTime {
 public:
  template <typename Pass>
  void Take(Pass&& pass) {
    const Clock::time_point start = Clock::now();
    pass();
    seconds_ = std::min(seconds_, SecondsSince(start));
  }
  double MegabytesPerSecond(size_t bytes) const {
    return static_cast<double>(bytes) / 1e6 / seconds_;
  }

 private:
  double seconds_ = 1e9;
};

struct Timing {
  BestTime plain;  // without a cache
  BestTime cold;   // the first pass of a fresh cache
  BestTime warm;   // the passes after it
  BestTime decode;
};

Timing Measure(const SentencePieceLiteProcessor& processor,
               const std::vector<std::string_view>& texts, TokenCache::Capacity capacity,
               int repetitions, Ids* ids) {
  Timing timing;
  std::string decoded;
  const auto encode_cached = [&](TokenCache* cache) {
    for (size_t t = 0; t < texts.size(); ++t) {
      CachedSentencePieceLite::Encode(processor, *cache, texts[t], &(*ids)[t]);
    }
  };
  for (int i = 0; i < repetitions; ++i) {
    TokenCache cache(capacity);
    timing.cold.Take([&] { encode_cached(&cache); });
    timing.warm.Take([&] { encode_cached(&cache); });
    timing.warm.Take([&] { encode_cached(&cache); });
    timing.plain.Take([&] {
      for (size_t t = 0; t < texts.size(); ++t) processor.Encode(texts[t], &(*ids)[t]);
    });
    timing.decode.Take([&] {
      for (const auto& text_ids : *ids) processor.Decode(text_ids, &decoded);
    });
  }
  return timing;
}

constexpr char kTool[] = "spm_bench";
constexpr char kUsage[] =
    "usage: spm_bench --model=FILE.spm.fb --text=FILE [--mode=line|doc] [--reps=N]\n"
    "       [--cache=tiny|small|medium|large]\n"
    "Encodes the text on one thread, N times each without a cache, with a fresh one\n"
    "(cold) and again with that (warm), and prints one line of JSON.\n";

std::optional<TokenCache::Capacity> CapacityOf(const std::string& name) {
  if (name == "tiny") return TokenCache::Capacity::kTiny;
  if (name == "small") return TokenCache::Capacity::kSmall;
  if (name == "medium") return TokenCache::Capacity::kMedium;
  if (name == "large") return TokenCache::Capacity::kLarge;
  return std::nullopt;
}

int Run(const std::string& model_path, const std::string& text_path, bool by_line,
        TokenCache::Capacity capacity, int repetitions) {
  const std::optional<std::string> model = ReadFile(model_path);
  if (!model) return Fail(kTool, "cannot read " + model_path);
  const std::optional<std::string> text = ReadFile(text_path);
  if (!text) return Fail(kTool, "cannot read " + text_path);

  const Clock::time_point start = Clock::now();
  const SentencePieceLiteProcessor processor(*model);
  const double load_seconds = SecondsSince(start);
  if (processor.status() != StatusCode::kOk) {
    return Fail(kTool, model_path + ": " + std::string(processor.status_message()));
  }
  const auto texts = SplitText(*text, by_line);
  size_t bytes = 0;
  for (const std::string_view line : texts) bytes += line.size();
  Ids ids(texts.size());
  const Timing timing = Measure(processor, texts, capacity, repetitions, &ids);
  IdHash hash;
  size_t tokens = 0;
  for (const auto& text_ids : ids) {
    tokens += text_ids.size();
    for (const int id : text_ids) hash.Add(id);
  }
  std::printf(
      "{\"mode\": \"%s\", \"texts\": %zu, \"bytes\": %zu, \"tokens\": %zu, "
      "\"hash\": \"%016llx\", \"load_ms\": %.3f, \"plain_mb_s\": %.2f, "
      "\"cold_mb_s\": %.2f, \"warm_mb_s\": %.2f, \"decode_mb_s\": %.2f}\n",
      by_line ? "line" : "doc", texts.size(), bytes, tokens,
      static_cast<unsigned long long>(hash.value()), load_seconds * 1e3,
      timing.plain.MegabytesPerSecond(bytes), timing.cold.MegabytesPerSecond(bytes),
      timing.warm.MegabytesPerSecond(bytes), timing.decode.MegabytesPerSecond(bytes));
  return 0;
}

int Main(int argument_count, char** arguments) {
  std::string model;
  std::string text;
  std::string mode = "line";
  std::string repetitions = "3";
  std::string cache = "medium";
  const Flag flags[] = {{"model", &model},
                        {"text", &text},
                        {"mode", &mode},
                        {"reps", &repetitions},
                        {"cache", &cache}};
  const std::string mistake = ParseFlags(argument_count, arguments, flags, kUsage);
  if (!mistake.empty()) return Fail(kTool, mistake, 2);
  if (mode != "line" && mode != "doc") return Fail(kTool, "--mode is line or doc", 2);
  if (std::atoi(repetitions.c_str()) < 1) return Fail(kTool, "--reps is at least 1", 2);
  const std::optional<TokenCache::Capacity> capacity = CapacityOf(cache);
  if (!capacity) return Fail(kTool, "--cache is tiny, small, medium or large", 2);
  return Run(model, text, mode == "line", *capacity, std::atoi(repetitions.c_str()));
}

}  // namespace
}  // namespace sentencepiece::lite

int main(int argument_count, char** arguments) {
  return sentencepiece::lite::Main(argument_count, arguments);
}
