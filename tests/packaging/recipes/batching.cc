// Tells the ids of the sentences, from the same processor.

#include "batching.includes"

#include <future>

#include "recipes.h"
#include "sentencepiece_lite.h"

int main() {
  const std::string_view model_data = MmapModelFile("model.spm.fb");
#include "batching.statements"
  for (const std::string& text : batch) {
    std::vector<int> ids;
    processor.Encode(text, &ids);
    Tell(ids);
  }
  for (const auto& future : futures) {
    if (future.valid()) return 1;  // every one was waited for
  }
}
