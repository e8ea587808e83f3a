// The published lite runtime behind the part of wasm/src/abi.cc that is measured, so
// that our own JavaScript (wasm/ts/runtime.ts) drives both.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "exports.h"
#include "sentencepiece_lite.h"

namespace {

using sentencepiece::lite::CachedSentencePieceLite;
using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::TokenCache;

// Which of its two ways to encode the next calls take.
bool is_cached = true;
TokenCache::Capacity capacity = TokenCache::Capacity::kMedium;

struct Tokenizer {
  Tokenizer(char* blob, size_t size) : processor(std::string_view(blob, size)), cache(capacity) {}

  spmlite::Outcome outcome;  // first: hosts read it at the tokenizer's address
  SentencePieceLiteProcessor processor;
  TokenCache cache;
  std::vector<int> ids;
  std::string text;
};

}  // namespace

SPMLITE_EXPORT(lite_choose) void lite_choose(bool cached, bool large) {
  is_cached = cached;
  capacity = large ? TokenCache::Capacity::kLarge : TokenCache::Capacity::kMedium;
}

SPMLITE_EXPORT(spmlite_create) Tokenizer* spmlite_create(char* blob, size_t size) {
  return new Tokenizer(blob, size);
}

SPMLITE_EXPORT(spmlite_status) StatusCode spmlite_status(const Tokenizer* tokenizer) {
  return tokenizer->processor.status();
}

SPMLITE_EXPORT(spmlite_encode)
StatusCode spmlite_encode(Tokenizer* tokenizer, const char* text, size_t size) {
  const std::string_view input(text, size);
  const StatusCode status =
      is_cached ? CachedSentencePieceLite::Encode(tokenizer->processor, tokenizer->cache, input,
                                                  &tokenizer->ids)
                : tokenizer->processor.Encode(input, &tokenizer->ids);
  tokenizer->outcome.ids = tokenizer->ids.data();
  tokenizer->outcome.id_count = tokenizer->ids.size();
  return status;
}

SPMLITE_EXPORT(spmlite_decode)
StatusCode spmlite_decode(Tokenizer* tokenizer, const int* ids, size_t count) {
  const StatusCode status = tokenizer->processor.Decode({ids, count}, &tokenizer->text);
  tokenizer->outcome.text = tokenizer->text.data();
  tokenizer->outcome.text_size = tokenizer->text.size();
  return status;
}
