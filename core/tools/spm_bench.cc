// spm_bench --model M --text T --mode line|doc --reps N
//
// Encodes, normalizes and decodes a text and prints one line of JSON; kUsage below
// names its fields. The same source is compiled against another runtime with the same
// calls (bench_engine.h), so that two engines are measured by one hand.

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bench_engine.h"
#include "bench_memory.h"
#include "cached_sentencepiece_lite.h"
#include "command_line.h"
#include "sentencepiece_lite.h"

namespace {

using sentencepiece::lite::CachedSentencePieceLite;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::TokenCache;
using spmlite_tools::Fail;
using spmlite_tools::Processor;

using Clock = std::chrono::steady_clock;

constexpr char kTool[] = "spm_bench";
constexpr char kUsage[] =
    "usage: spm_bench --model FILE --text FILE [--mode line|doc] [--reps N]\n"
    "       [--cache tiny|small|medium|large] [--threads N] [--size BYTES]\n"
    "Encodes a text, a line at a time or as one document, N times each way, and prints\n"
    "one line of JSON. MB/s are of UTF-8, the best of the N:\n"
    "  plain_mb_s        encode without a cache\n"
    "  cold_mb_s         the first pass with a fresh cache, its making included\n"
    "  warm_mb_s         the passes after it\n"
    "  normalize_mb_s    normalize alone\n"
    "  decode_mb_s       the ids of the text to text again\n"
    "  load_ms           the model from memory, checked; load_trusted_ms: not checked\n"
    "  heap_bytes        what the loaded model holds on the heap, without the file\n"
    "  peak_kb           the most memory that was resident while text was encoded\n"
    "  tokens, hash      of all ids; the hash is FNV-1a over ids of 32 bits each\n"
    "With threads, each encodes the whole text with a cache of its own, and the rates\n"
    "are of all together. --size cuts the text to so many bytes, or repeats it.\n"
    "By line, lines end at \\n, and empty ones are left out.\n";

struct Options {
  std::string model;
  std::string text;
  bool by_line = true;
  int repetitions = 3;
  TokenCache::Capacity capacity = TokenCache::Capacity::kMedium;
  int threads = 1;
  size_t size = 0;  // 0: the text as it is
};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// http://www.isthe.com/chongo/tech/comp/fnv/ (FNV-1a), over whole ids.
uint64_t HashOf(const std::vector<int>& ids) {
  uint64_t hash = 1469598103934665603u;
  for (const int id : ids) hash = (hash ^ static_cast<uint32_t>(id)) * 1099511628211u;
  return hash;
}

// The first `size` bytes, repeated as often as needed. A last character that is not
// ASCII is left out, since it may be cut.
std::string Resized(const std::string& text, size_t size) {
  std::string resized;
  while (resized.size() < size && !text.empty()) {
    resized.append(text, 0, size - resized.size());
  }
  // 10xxxxxx continues a character of UTF-8, 11xxxxxx begins one.
  while (!resized.empty() && (resized.back() & 0xC0) == 0x80) resized.pop_back();
  if (!resized.empty() && (resized.back() & 0x80) != 0) resized.pop_back();
  return resized;
}

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

// Runs pass(thread) in each thread at once; the time from the start of the first to the
// end of the last.
template <typename Pass>
double SecondsOf(int threads, Pass&& pass) {
  if (threads == 1) {
    const Clock::time_point start = Clock::now();
    pass(0);
    return SecondsSince(start);
  }
  std::barrier ready(threads);
  std::vector<Clock::time_point> starts(threads);
  std::vector<Clock::time_point> ends(threads);
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      ready.arrive_and_wait();
      starts[thread] = Clock::now();
      pass(thread);
      ends[thread] = Clock::now();
    });
  }
  for (std::thread& one : running) one.join();
  const Clock::time_point start = *std::min_element(starts.begin(), starts.end());
  const Clock::time_point end = *std::max_element(ends.begin(), ends.end());
  return std::chrono::duration<double>(end - start).count();
}

// The best time of several passes.
class Best {
 public:
  void Take(double seconds) { seconds_ = std::min(seconds_, seconds); }
  double milliseconds() const { return seconds_ * 1e3; }
  double MegabytesPerSecond(size_t bytes) const {
    return static_cast<double>(bytes) / 1e6 / seconds_;
  }

 private:
  double seconds_ = 1e9;
};

struct Loading {
  Best checked;
  Best trusted;
  std::optional<size_t> heap_bytes;
};

// At least so often, since loading is short.
constexpr int kLeastLoads = 10;

std::unique_ptr<Processor> MeasureLoading(std::string_view blob, int repetitions,
                                          Loading* loading) {
  // What is no model must not be trusted.
  auto processor = spmlite_tools::Load(blob, false);
  if (processor->status() != StatusCode::kOk) return processor;
  for (int i = 0; i < std::max(repetitions, kLeastLoads); ++i) {
    for (const bool trusted : {true, false}) {
      if (trusted && !spmlite_tools::kHasTrustedLoad) continue;
      processor.reset();
      Best& best = trusted ? loading->trusted : loading->checked;
      best.Take(SecondsOf(1, [&](int) { processor = spmlite_tools::Load(blob, trusted); }));
    }
  }
  processor.reset();
  const std::optional<size_t> before = spmlite_tools::HeapBytes();
  processor = spmlite_tools::Load(blob, false);
  const std::optional<size_t> after = spmlite_tools::HeapBytes();
  if (before && after) loading->heap_bytes = *after - *before;
  return processor;
}

struct Encoding {
  Best plain;
  Best cold;
  Best warm;
  Best normalize;
};

// The work of one thread.
struct Worker {
  std::unique_ptr<TokenCache> cache;
  std::vector<int> ids;
  std::string text;
};

Encoding MeasureEncoding(const Processor& processor, const std::vector<std::string_view>& texts,
                         const Options& options) {
  Encoding encoding;
  std::vector<Worker> workers(options.threads);
  const auto plain = [&](int thread) {
    for (const auto text : texts) processor.Encode(text, &workers[thread].ids);
  };
  const auto cached = [&](int thread) {
    Worker& worker = workers[thread];
    for (const auto text : texts) {
      CachedSentencePieceLite::Encode(processor, *worker.cache, text, &worker.ids);
    }
  };
  // A cache takes its room when it is made or when it is first used: both count.
  const auto cached_afresh = [&](int thread) {
    workers[thread].cache = std::make_unique<TokenCache>(options.capacity);
    cached(thread);
  };
  const auto normalize = [&](int thread) {
    for (const auto text : texts) processor.Normalize(text, &workers[thread].text);
  };
  for (int i = 0; i < options.repetitions; ++i) {
    encoding.cold.Take(SecondsOf(options.threads, cached_afresh));
    encoding.warm.Take(SecondsOf(options.threads, cached));
    encoding.warm.Take(SecondsOf(options.threads, cached));
    encoding.plain.Take(SecondsOf(options.threads, plain));
    encoding.normalize.Take(SecondsOf(options.threads, normalize));
  }
  return encoding;
}

// The ids of all texts, one after another, and where those of each end.
struct Ids {
  std::vector<int> all;
  std::vector<size_t> ends;
};

Ids Collect(const Processor& processor, const std::vector<std::string_view>& texts) {
  Ids ids;
  std::vector<int> of_text;
  for (const std::string_view text : texts) {
    processor.Encode(text, &of_text);
    ids.all.insert(ids.all.end(), of_text.begin(), of_text.end());
    ids.ends.push_back(ids.all.size());
  }
  return ids;
}

// Whether both ways to encode gave the same, as they must.
bool CachedGivesTheSame(const Processor& processor, const std::vector<std::string_view>& texts,
                        TokenCache::Capacity capacity, const Ids& expected) {
  TokenCache cache(capacity);
  std::vector<int> of_text;
  size_t begin = 0;
  for (size_t t = 0; t < texts.size(); ++t) {
    CachedSentencePieceLite::Encode(processor, cache, texts[t], &of_text);
    if (!std::equal(of_text.begin(), of_text.end(), expected.all.begin() + begin,
                    expected.all.begin() + expected.ends[t])) {
      return false;
    }
    begin = expected.ends[t];
  }
  return true;
}

double MeasureDecoding(const Processor& processor, const Ids& ids, const Options& options) {
  Best best;
  std::vector<Worker> workers(options.threads);
  std::vector<size_t> bytes(options.threads);
  const auto decode = [&](int thread) {
    size_t begin = 0;
    size_t decoded = 0;
    for (const size_t end : ids.ends) {
      processor.Decode({ids.all.data() + begin, end - begin}, &workers[thread].text);
      decoded += workers[thread].text.size();
      begin = end;
    }
    bytes[thread] = decoded;
  };
  for (int i = 0; i < options.repetitions; ++i) best.Take(SecondsOf(options.threads, decode));
  return best.MegabytesPerSecond(bytes[0] * options.threads);
}

// A number, or null for one that the system does not tell.
std::string Json(std::optional<size_t> number) { return number ? std::to_string(*number) : "null"; }

int Run(const Options& options) {
  const std::optional<std::string> model = spmlite_tools::ReadFile(options.model);
  if (!model) return Fail(kTool, "cannot read " + options.model);
  std::optional<std::string> text = spmlite_tools::ReadFile(options.text);
  if (!text) return Fail(kTool, "cannot read " + options.text);
  if (options.size > 0) text = Resized(*text, options.size);

  const std::string blob = spmlite_tools::AsBlob(*model);
  Loading loading;
  const auto processor = MeasureLoading(blob, options.repetitions, &loading);
  if (processor->status() != StatusCode::kOk) {
    return Fail(kTool, options.model + ": " + spmlite_tools::WhyNotLoaded(*processor));
  }
  const auto texts = SplitText(*text, options.by_line);
  size_t bytes = 0;
  for (const std::string_view line : texts) bytes += line.size();

  const Encoding encoding = MeasureEncoding(*processor, texts, options);
  const std::optional<size_t> peak = spmlite_tools::PeakKilobytes();
  const Ids ids = Collect(*processor, texts);
  const double decode = MeasureDecoding(*processor, ids, options);
  const bool same = CachedGivesTheSame(*processor, texts, options.capacity, ids);

  const size_t all_bytes = bytes * options.threads;
  const std::string trusted = spmlite_tools::kHasTrustedLoad
                                  ? std::to_string(loading.trusted.milliseconds())
                                  : std::string("null");
  std::printf(
      "{\"engine\": \"%s\", \"mode\": \"%s\", \"threads\": %d, \"texts\": %zu, \"bytes\": %zu, "
      "\"tokens\": %zu, \"hash\": \"%016llx\", \"cached_is_the_same\": %s, "
      "\"plain_mb_s\": %.2f, \"cold_mb_s\": %.2f, \"warm_mb_s\": %.2f, "
      "\"normalize_mb_s\": %.2f, \"decode_mb_s\": %.2f, \"load_ms\": %.6f, "
      "\"load_trusted_ms\": %s, \"heap_bytes\": %s, \"peak_kb\": %s}\n",
      spmlite_tools::kEngine, options.by_line ? "line" : "doc", options.threads, texts.size(),
      bytes, ids.all.size(), static_cast<unsigned long long>(HashOf(ids.all)),
      same ? "true" : "false", encoding.plain.MegabytesPerSecond(all_bytes),
      encoding.cold.MegabytesPerSecond(all_bytes), encoding.warm.MegabytesPerSecond(all_bytes),
      encoding.normalize.MegabytesPerSecond(all_bytes), decode, loading.checked.milliseconds(),
      trusted.c_str(), Json(loading.heap_bytes).c_str(), Json(peak).c_str());
  return 0;
}

std::optional<TokenCache::Capacity> CapacityOf(const std::string& name) {
  if (name == "tiny") return TokenCache::Capacity::kTiny;
  if (name == "small") return TokenCache::Capacity::kSmall;
  if (name == "medium") return TokenCache::Capacity::kMedium;
  if (name == "large") return TokenCache::Capacity::kLarge;
  return std::nullopt;
}

int Main(int argument_count, char** arguments) {
  Options options;
  std::string mode = "line";
  std::string repetitions = "3";
  std::string cache = "medium";
  std::string threads = "1";
  std::string size = "0";
  const spmlite_tools::Flag flags[] = {
      {"model", &options.model}, {"text", &options.text}, {"mode", &mode}, {"reps", &repetitions},
      {"cache", &cache},         {"threads", &threads},   {"size", &size}};
  const std::string mistake = spmlite_tools::ParseFlags(argument_count, arguments, flags, kUsage);
  if (!mistake.empty()) return Fail(kTool, mistake, 2);
  if (mode != "line" && mode != "doc") return Fail(kTool, "--mode is line or doc", 2);
  const std::optional<TokenCache::Capacity> capacity = CapacityOf(cache);
  if (!capacity) return Fail(kTool, "--cache is tiny, small, medium or large", 2);
  options.by_line = mode == "line";
  options.capacity = *capacity;
  options.repetitions = std::atoi(repetitions.c_str());
  options.threads = std::atoi(threads.c_str());
  options.size = std::strtoull(size.c_str(), nullptr, 10);
  if (options.repetitions < 1) return Fail(kTool, "--reps is at least 1", 2);
  if (options.threads < 1) return Fail(kTool, "--threads is at least 1", 2);
  return Run(options);
}

}  // namespace

int main(int argument_count, char** arguments) { return Main(argument_count, arguments); }
