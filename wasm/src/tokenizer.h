// A loaded model as the host has it, and how calls on it hand over their results.

#ifndef SPMLITE_WASM_TOKENIZER_H_
#define SPMLITE_WASM_TOKENIZER_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "exports.h"
#include "sentencepiece_extra.h"
#include "sentencepiece_lite.h"

namespace spmlite {

using sentencepiece::lite::Checks;
using sentencepiece::lite::NormalizedPieces;
using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::TokenCache;
using sentencepiece::lite::TokenSpan;

// A loaded model, and room for results that is used again by every call.
struct Tokenizer {
  Tokenizer(char* blob, size_t size, Checks checks)
      : blob(blob), processor(std::string_view(blob, size), checks) {}
  ~Tokenizer() { std::free(blob); }
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  Outcome outcome;  // first: hosts read it at the tokenizer's address
  char* blob;
  SentencePieceLiteProcessor processor;
  TokenCache cache;  // takes its 1.5 MB when a text is first encoded
  std::vector<int> ids;
  std::string text;
  // Of a call with spans.
  std::string_view spanned;  // what the spans are of
  std::vector<TokenSpan> byte_spans;
  std::vector<TokenSpan> spans;
  NormalizedPieces found;  // or what decoding came to before a denormalizer, and its pieces
  std::string piece_text;
};

static_assert(sizeof(int) == sizeof(int32_t));
static_assert(sizeof(TokenSpan) == 2 * sizeof(uint32_t));

inline void GiveIds(Tokenizer* tokenizer) {
  tokenizer->outcome.ids = tokenizer->ids.data();
  tokenizer->outcome.id_count = tokenizer->ids.size();
}

// The sentence for a call that failed: there is no model, or no room for
// positions in so long a text (core/include counts them in 31 bits).
inline void GiveFailure(Tokenizer* tokenizer) {
  const std::string_view unloaded = tokenizer->processor.status_message();
  tokenizer->outcome.GiveText(unloaded.empty() ? "the text is too long: cut it" : unloaded);
}

// The end of every call that makes ids.
inline StatusCode GiveIdsOr(StatusCode status, Tokenizer* tokenizer) {
  if (status != StatusCode::kOk) GiveFailure(tokenizer);
  GiveIds(tokenizer);
  return status;
}

}  // namespace spmlite

#endif  // SPMLITE_WASM_TOKENIZER_H_
