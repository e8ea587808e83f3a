// A tokenizer.json from a stranger: read, converted, loaded, used.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "exercise.h"
#include "sentencepiece_model_converters.h"
#include "tokenizer_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sentencepiece::lite;
  const auto read =
      TokenizerJsonToModel(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!read.ok()) {
    Expect(!read.message().empty(), "a refusal has its reason");
    return 0;
  }
  StatusOr<std::string> blob = ToFlatbuffer((*read).model);
  if (!blob.ok()) {
    Expect(!blob.message().empty(), "a refusal has its reason");
    return 0;
  }
  const SentencePieceLiteProcessor processor(std::make_shared<std::string>(*std::move(blob)));
  Expect(processor.status() == StatusCode::kOk, "what is converted loads");
  Exercise(processor);
  return 0;
}
