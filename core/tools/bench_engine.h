// What spm_bench.cc needs of a runtime beyond the calls that two of them share: it is
// compiled against ours and, by scripts/bench with SPMLITE_BENCH_PUBLISHED_LITE,
// against the lite runtime that is published with SentencePiece.

#ifndef SPMLITE_CORE_TOOLS_BENCH_ENGINE_H_
#define SPMLITE_CORE_TOOLS_BENCH_ENGINE_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sentencepiece_lite.h"

#ifndef SPMLITE_BENCH_PUBLISHED_LITE
#include "sentencepiece_model_converters.h"
#endif

namespace spmlite_tools {

using Processor = sentencepiece::lite::SentencePieceLiteProcessor;

#ifdef SPMLITE_BENCH_PUBLISHED_LITE

inline constexpr char kEngine[] = "lite";
inline constexpr bool kHasTrustedLoad = false;

inline std::unique_ptr<Processor> Load(std::string_view blob, bool /*trusted*/) {
  return std::make_unique<Processor>(blob);
}

inline std::string WhyNotLoaded(const Processor& /*processor*/) {
  return "is refused; the runtime does not say why";
}

inline std::string AsBlob(std::string model) { return model; }

#else

inline constexpr char kEngine[] = "spmlite";
inline constexpr bool kHasTrustedLoad = true;

inline std::unique_ptr<Processor> Load(std::string_view blob, bool trusted) {
  using sentencepiece::lite::Checks;
  return std::make_unique<Processor>(blob, trusted ? Checks::kNone : Checks::kAll);
}

inline std::string WhyNotLoaded(const Processor& processor) {
  return std::string(processor.status_message());
}

// A `.model` is converted; everything else stays as it is.
inline std::string AsBlob(std::string model) {
  auto converted = sentencepiece::lite::ToFlatbuffer(model);
  return converted.ok() ? *std::move(converted) : std::move(model);
}

#endif

}  // namespace spmlite_tools

#endif  // SPMLITE_CORE_TOOLS_BENCH_ENGINE_H_
