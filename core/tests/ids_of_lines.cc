// ids_of_lines MODEL TEXT BLOB: converts a .model to the file BLOB, and prints the ids of
// each line of the text. scripts/cross runs it for other machines, and compares what it
// prints with the oracle's ids, and BLOB with the one that is made here.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "sentencepiece_lite.h"
#include "sentencepiece_model_converters.h"

namespace {

using namespace sentencepiece::lite;

std::string Read(const char* name) {
  std::ifstream file(name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int Fail(std::string_view reason) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(reason.size()), reason.data());
  return 1;
}

// What a .spm.fb is given as, it stays.
StatusOr<std::string> BlobOf(std::string_view name, std::string bytes) {
  if (name.ends_with(".spm.fb")) return bytes;
  return ToFlatbuffer(bytes);
}

int Run(const char* model_name, const char* text_name, const char* blob_name) {
  StatusOr<std::string> blob = BlobOf(model_name, Read(model_name));
  if (!blob.ok()) return Fail(blob.message());
  std::ofstream(blob_name, std::ios::binary) << *blob;

  const auto shared = std::make_shared<std::string>(*std::move(blob));
  const SentencePieceLiteProcessor processor(shared);
  if (processor.status() != StatusCode::kOk) return Fail(processor.status_message());
  TokenCache cache(TokenCache::Capacity::kTiny);
  std::ifstream text(text_name, std::ios::binary);
  for (std::string line; std::getline(text, line);) {
    std::vector<int> ids;
    std::vector<int> cached;
    processor.Encode(line, &ids);
    CachedSentencePieceLite::Encode(processor, cache, line, &cached);
    if (ids != cached) return Fail("with a cache, the ids differ: " + line);
    for (const int id : ids) std::printf("%d ", id);
    std::printf("\n");
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  return count == 4 ? Run(arguments[1], arguments[2], arguments[3])
                    : Fail("usage: ids_of_lines MODEL TEXT BLOB");
}
