// The runtime module: a C interface over SentencePieceLiteProcessor.
//
// A host writes a model into a block of spmlite_allocate (memory.cc) and makes
// a tokenizer of it; it writes texts or ids into another block, calls, and
// reads the Outcome (exports.h) that lies at the tokenizer's own address.
//
//   spmlite_create(blob, size) -> tokenizer   takes the block over; never 0
//   spmlite_destroy(tokenizer)                and its model
//   spmlite_status(tokenizer)                 0 once the model is loaded
//
// These return a StatusCode, 0 for success; texts are UTF-8, without a 0 at the
// end:
//   spmlite_encode(tokenizer, text, size)                        -> ids
//   spmlite_encode_with_spans(tokenizer, text, size, unit)       -> ids, spans
//   spmlite_decode(tokenizer, ids, count)                        -> text
//   spmlite_normalize(tokenizer, text, size)                     -> text
//   spmlite_id_to_piece(tokenizer, id)                           -> text
// `unit` is an OffsetUnit: 0 bytes, 1 code points, 2 UTF-16 units.
//
// These return their value:
//   spmlite_piece_to_id(tokenizer, piece, size)
//   spmlite_score(tokenizer, id), spmlite_type(tokenizer, id)
//   spmlite_vocab_size, spmlite_model_type, spmlite_unk_id, spmlite_bos_id,
//   spmlite_eos_id, spmlite_pad_id (tokenizer)

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "exports.h"
#include "sentencepiece_lite.h"

namespace spmlite {

using sentencepiece::lite::CachedSentencePieceLite;
using sentencepiece::lite::OffsetUnit;
using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::TokenCache;
using sentencepiece::lite::TokenSpan;

// A loaded model, and room for results that is used again by every call.
struct Tokenizer {
  Tokenizer(char* blob, size_t size) : blob(blob), processor(std::string_view(blob, size)) {}
  ~Tokenizer() { std::free(blob); }
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  Outcome outcome;  // first: hosts read it at the tokenizer's address
  char* blob;
  SentencePieceLiteProcessor processor;
  TokenCache cache;  // takes its 1.5 MB when a text is first encoded
  std::vector<int> ids;
  std::vector<TokenSpan> spans;
  std::string text;
};

static_assert(sizeof(int) == sizeof(int32_t));
static_assert(sizeof(TokenSpan) == 2 * sizeof(uint32_t));

namespace {

void GiveText(std::string_view text, Tokenizer* tokenizer) {
  tokenizer->outcome.text = text.data();
  tokenizer->outcome.text_size = text.size();
}

void GiveIds(Tokenizer* tokenizer) {
  tokenizer->outcome.ids = tokenizer->ids.data();
  tokenizer->outcome.id_count = tokenizer->ids.size();
}

// The sentence for a call that failed: there is no model, or no room for
// positions in so long a text (core/include counts them in 31 bits).
void GiveFailure(Tokenizer* tokenizer) {
  const std::string_view unloaded = tokenizer->processor.status_message();
  GiveText(unloaded.empty() ? "the text is too long: cut it" : unloaded, tokenizer);
}

StatusCode GiveOutOfRange(int id, Tokenizer* tokenizer) {
  const size_t last = tokenizer->processor.vocab_size() - 1;
  tokenizer->text = "id " + std::to_string(id) + " is out of range: this model has the ids 0 to " +
                    std::to_string(last);
  GiveText(tokenizer->text, tokenizer);
  return StatusCode::kOutOfRange;
}

bool IsId(const Tokenizer& tokenizer, int id) {
  return id >= 0 && size_t(id) < tokenizer.processor.vocab_size();
}

}  // namespace

SPMLITE_EXPORT(spmlite_create)
Tokenizer* spmlite_create(char* blob, size_t size) {
  auto* tokenizer = new Tokenizer(blob, size);
  GiveText(tokenizer->processor.status_message(), tokenizer);
  return tokenizer;
}

SPMLITE_EXPORT(spmlite_destroy) void spmlite_destroy(Tokenizer* tokenizer) { delete tokenizer; }

SPMLITE_EXPORT(spmlite_status)
StatusCode spmlite_status(const Tokenizer* tokenizer) { return tokenizer->processor.status(); }

SPMLITE_EXPORT(spmlite_encode)
StatusCode spmlite_encode(Tokenizer* tokenizer, const char* text, size_t size) {
  const StatusCode status = CachedSentencePieceLite::Encode(tokenizer->processor, tokenizer->cache,
                                                            {text, size}, &tokenizer->ids);
  if (status != StatusCode::kOk) GiveFailure(tokenizer);
  GiveIds(tokenizer);
  return status;
}

SPMLITE_EXPORT(spmlite_encode_with_spans)
StatusCode spmlite_encode_with_spans(Tokenizer* tokenizer, const char* text, size_t size,
                                     OffsetUnit unit) {
  const StatusCode status =
      tokenizer->processor.EncodeWithSpans({text, size}, unit, &tokenizer->ids, &tokenizer->spans);
  if (status != StatusCode::kOk) GiveFailure(tokenizer);
  GiveIds(tokenizer);
  tokenizer->outcome.spans = reinterpret_cast<const uint32_t*>(tokenizer->spans.data());
  return status;
}

SPMLITE_EXPORT(spmlite_decode)
StatusCode spmlite_decode(Tokenizer* tokenizer, const int* ids, size_t count) {
  const StatusCode status = tokenizer->processor.Decode({ids, count}, &tokenizer->text);
  if (status == StatusCode::kOutOfRange) {
    for (const int id : std::span(ids, count)) {
      if (!IsId(*tokenizer, id)) return GiveOutOfRange(id, tokenizer);
    }
  }
  if (status != StatusCode::kOk) {
    GiveFailure(tokenizer);
    return status;
  }
  GiveText(tokenizer->text, tokenizer);
  return status;
}

SPMLITE_EXPORT(spmlite_normalize)
StatusCode spmlite_normalize(Tokenizer* tokenizer, const char* text, size_t size) {
  const StatusCode status = tokenizer->processor.Normalize({text, size}, &tokenizer->text);
  if (status != StatusCode::kOk) {
    GiveFailure(tokenizer);
    return status;
  }
  GiveText(tokenizer->text, tokenizer);
  return status;
}

SPMLITE_EXPORT(spmlite_id_to_piece)
StatusCode spmlite_id_to_piece(Tokenizer* tokenizer, int id) {
  if (!IsId(*tokenizer, id)) return GiveOutOfRange(id, tokenizer);
  GiveText(tokenizer->processor.IdToPiece(id), tokenizer);
  return StatusCode::kOk;
}

SPMLITE_EXPORT(spmlite_piece_to_id)
int spmlite_piece_to_id(const Tokenizer* tokenizer, const char* piece, size_t size) {
  return tokenizer->processor.PieceToId({piece, size});
}

SPMLITE_EXPORT(spmlite_score)
float spmlite_score(const Tokenizer* tokenizer, int id) {
  return tokenizer->processor.GetScore(id);
}

SPMLITE_EXPORT(spmlite_type)
int spmlite_type(const Tokenizer* tokenizer, int id) { return tokenizer->processor.piece_type(id); }

SPMLITE_EXPORT(spmlite_vocab_size)
size_t spmlite_vocab_size(const Tokenizer* tokenizer) { return tokenizer->processor.vocab_size(); }

SPMLITE_EXPORT(spmlite_model_type)
int spmlite_model_type(const Tokenizer* tokenizer) { return tokenizer->processor.model_type(); }

SPMLITE_EXPORT(spmlite_unk_id)
int spmlite_unk_id(const Tokenizer* tokenizer) { return tokenizer->processor.unk_id(); }

SPMLITE_EXPORT(spmlite_bos_id)
int spmlite_bos_id(const Tokenizer* tokenizer) { return tokenizer->processor.bos_id(); }

SPMLITE_EXPORT(spmlite_eos_id)
int spmlite_eos_id(const Tokenizer* tokenizer) { return tokenizer->processor.eos_id(); }

SPMLITE_EXPORT(spmlite_pad_id)
int spmlite_pad_id(const Tokenizer* tokenizer) { return tokenizer->processor.pad_id(); }

}  // namespace spmlite
