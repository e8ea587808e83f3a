// A .model from a stranger: converted, loaded, used.

#include <cstdint>
#include <string_view>

#include "exercise.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sentencepiece::lite::ExerciseConverted(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
