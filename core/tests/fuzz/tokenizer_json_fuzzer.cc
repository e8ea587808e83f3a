// A tokenizer.json from a stranger: read, converted, loaded, used.

#include <cstdint>
#include <string_view>

#include "exercise.h"
#include "tokenizer_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sentencepiece::lite;
  const auto read =
      TokenizerJsonToModel(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!read.ok()) {
    Expect(!read.message().empty(), "a refusal has its reason");
    return 0;
  }
  ExerciseConverted((*read).model);
  return 0;
}
