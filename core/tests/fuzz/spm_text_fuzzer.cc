// A .spm from a stranger: read, written, read again.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "exercise.h"
#include "sentencepiece_model_converters.h"
#include "spm_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sentencepiece::lite;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  IsSpmText(text);
  StatusOr<std::string> model = SpmTextToModel(text);
  if (!model.ok()) {
    Expect(!model.message().empty(), "a refusal has its reason");
    model = SpmTextToModel(text, {.fields = "trainer_spec.model_type: BPE"});
    if (!model.ok()) return 0;
  }
  const StatusOr<std::string> written = ModelToSpmText(*model);
  Expect(written.ok(), "what was read can be written");
  const StatusOr<std::string> again = SpmTextToModel(*written);
  Expect(again.ok(), "what was written can be read");
  Expect(*ModelToSpmText(*again) == *written, "what is read is what was written");
  const StatusOr<std::string> blob = ToFlatbuffer(*model);
  const StatusOr<std::string> blob_again = ToFlatbuffer(*again);
  Expect(blob.ok() == blob_again.ok() && (!blob.ok() || *blob == *blob_again),
         "both make the same .spm.fb");
  return 0;
}
