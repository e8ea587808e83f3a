// A .spm.fb from a stranger: loaded as it is, and once more with its checksum
// repaired, so that what is altered gets past it.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "checksum.h"
#include "exercise.h"
#include "flatbuffers/verifier.h"

namespace sentencepiece::lite {
namespace {

void RepairChecksum(std::string* blob) {
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(blob->data()), blob->size());
  if (!verifier.VerifyBuffer<ModelProto>(nullptr)) return;
  const size_t offset = ChecksumOffset(*blob);
  if (offset == 0) return;
  flatbuffers::WriteScalar(blob->data() + offset, BlobChecksum(*blob, offset));
}

}  // namespace
}  // namespace sentencepiece::lite

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sentencepiece::lite;
  auto blob = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  Exercise(SentencePieceLiteProcessor(blob), Parts::kMayDisagree);
  RepairChecksum(blob.get());
  Exercise(SentencePieceLiteProcessor(blob), Parts::kMayDisagree);
  return 0;
}
