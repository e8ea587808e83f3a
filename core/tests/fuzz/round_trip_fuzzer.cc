// Any text on real models: what is encoded comes back.
//
// SPMLITE_FUZZ_MODELS names .spm.fb files, with colons between; the first byte
// of the input chooses one of them.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exercise.h"

namespace sentencepiece::lite {
namespace {

using Processors = std::vector<std::unique_ptr<SentencePieceLiteProcessor>>;

std::string ReadFile(const std::string& path) {
  std::string bytes;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return bytes;
  char buffer[1 << 16];
  for (size_t size; (size = std::fread(buffer, 1, sizeof(buffer), file)) > 0;) {
    bytes.append(buffer, size);
  }
  std::fclose(file);
  return bytes;
}

Processors LoadModels() {
  const char* names = std::getenv("SPMLITE_FUZZ_MODELS");
  Processors processors;
  std::string_view rest = names == nullptr ? "" : names;
  while (!rest.empty()) {
    const std::string path(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(path.size() + 1, rest.size()));
    processors.push_back(std::make_unique<SentencePieceLiteProcessor>(
        std::make_shared<std::string>(ReadFile(path))));
    Expect(processors.back()->status() == StatusCode::kOk, path.c_str());
  }
  Expect(!processors.empty(), "SPMLITE_FUZZ_MODELS names models");
  return processors;
}

bool HasByteFallback(const SentencePieceLiteProcessor& processor) {
  return processor.piece_type(processor.PieceToId("<0x00>")) == 6;
}

// Marks are spaces, whether they came as such or not, and leading ones are dropped.
std::string WithoutMarks(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const bool marked = text.starts_with("\xe2\x96\x81");
    if (!marked && text[0] != ' ') {
      result += text[0];
    } else if (!result.empty()) {
      result += ' ';
    }
    text.remove_prefix(marked ? 3 : 1);
  }
  return result;
}

void Run(const SentencePieceLiteProcessor& processor, std::string_view text) {
  std::vector<int> ids;
  ExerciseEncode(processor, text, &ids);
  ExerciseDecode(processor, ids);
  ExerciseSampling(processor, text.substr(0, 64));
  if (!HasByteFallback(processor)) return;
  // Nothing is unknown, so the normalized text comes back, but for marks.
  std::string normalized, decoded;
  processor.Normalize(text, &normalized);
  processor.Decode(ids, &decoded);
  Expect(WithoutMarks(decoded) == WithoutMarks(normalized), "what is encoded comes back");
}

}  // namespace
}  // namespace sentencepiece::lite

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto processors = sentencepiece::lite::LoadModels();
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  sentencepiece::lite::Run(*processors[data[0] % processors.size()], text);
  return 0;
}
