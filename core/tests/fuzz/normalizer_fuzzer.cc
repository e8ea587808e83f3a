// A charsmap and a text, both from a stranger.
//
// The input: a byte of flags, two bytes of the text's length (the low one first),
// the text, the charsmap.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exercise.h"
#include "normalizer.h"

namespace sentencepiece::lite {
namespace {

class SpecWriter {
 public:
  const NormalizerSpec* Write(uint8_t flags, std::string_view charsmap) {
    builder_.ForceVectorAlignment(charsmap.size(), 1, 8);
    const auto bytes =
        builder_.CreateVector(reinterpret_cast<const uint8_t*>(charsmap.data()), charsmap.size());
    builder_.Finish(
        CreateNormalizerSpec(builder_, 0, bytes, flags & 1, flags & 2, flags & 4, flags & 8));
    return flatbuffers::GetRoot<NormalizerSpec>(builder_.GetBufferPointer());
  }

 private:
  flatbuffers::FlatBufferBuilder builder_;
};

void Run(uint8_t flags, std::string_view text, std::string_view charsmap) {
  SpecWriter writer;
  const DoubleArray no_user_defined;
  Normalizer normalizer;
  std::string message;
  if (normalizer.Load(writer.Write(flags, charsmap), no_user_defined, "fuzzed", &message) !=
      StatusCode::kOk) {
    Expect(!message.empty(), "a refusal has its reason");
    return;
  }
  std::string normalized;
  std::string plain;
  std::vector<size_t> offsets;
  const bool fits = normalizer.Normalize(text, &normalized, &offsets);
  Expect(normalizer.Normalize(text, &plain, nullptr) == fits && plain == normalized,
         "offsets do not change the text");
  if (normalized.empty()) return;
  Expect(offsets.size() == normalized.size() + 1, "an offset a byte");
  Expect(std::is_sorted(offsets.begin(), offsets.end()), "offsets ascend");
  Expect(offsets.back() <= text.size(), "offsets lie in the text");
  Expect(!normalizer.LeavesUnchanged(text) || normalized == text, "what is unchanged is so");
}

}  // namespace
}  // namespace sentencepiece::lite

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data + 3), size - 3);
  const size_t length = std::min<size_t>(data[1] | data[2] << 8, rest.size());
  sentencepiece::lite::Run(data[0], rest.substr(0, length), rest.substr(length));
  return 0;
}
