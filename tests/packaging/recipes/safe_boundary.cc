// Tells the ids of the chunks, one after the other, and into how many the text was cut.

#include "safe_boundary.includes"

#include "recipes.h"
#include "sentencepiece_lite.h"

int main(int, char** arguments) {
  const sentencepiece::lite::SentencePieceLiteProcessor processor(MmapModelFile("model.spm.fb"));
  const std::string document = arguments[1];
#include "safe_boundary.statements"
  std::vector<int> ids;
  for (const std::vector<int>& result : chunk_results) {
    ids.insert(ids.end(), result.begin(), result.end());
  }
  Tell(ids);
  std::cout << chunks.size() << '\n';
}
