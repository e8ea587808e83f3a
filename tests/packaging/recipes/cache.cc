// Runs the worker in two threads, with one processor and with another, and tells what a
// cache gives.

#include "cache.includes"

#include <thread>

#include "recipes.h"

const std::string_view model_view = MmapModelFile("model.spm.fb");
#include "cache.statements"

int main(int, char** arguments) {
  const std::string_view text = arguments[1];
  const sentencepiece::lite::SentencePieceLiteProcessor other(model_view);
  const auto work = [&] {
    TokenizeWorker(processor, text);
    TokenizeWorker(other, text);
    TokenizeWorker(processor, text);
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  sentencepiece::lite::TokenCache cache;
  std::vector<int> ids;
  for (int round = 0; round < 2; ++round) {
    sentencepiece::lite::CachedSentencePieceLite::Encode(processor, cache, text, &ids);
  }
  Tell(ids);
}
