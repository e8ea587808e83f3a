// The runtime module: a C interface over SentencePieceLiteProcessor.
//
// A host writes a model into a block of spmlite_allocate (memory.cc) and makes
// a tokenizer of it; it writes texts or ids into another block, calls, and
// reads the Outcome (exports.h) that lies at the tokenizer's own address.
//
//   spmlite_create(blob, size, checks) -> tokenizer   takes the block over; never 0;
//                                             checks: 0 as for a stranger's file, 2 none
//   spmlite_destroy(tokenizer)                and its model
//   spmlite_status(tokenizer)                 0 once the model is loaded
//
// These return a StatusCode, 0 for success; what the Outcome holds of another is
// undefined but for the text of kInvalidArgument. Texts are UTF-8, without a 0 at the
// end:
//   spmlite_encode(tokenizer, text, size)                        -> ids
//   spmlite_decode(tokenizer, ids, count)                        -> text
//   spmlite_normalize(tokenizer, text, size)                     -> text
//   spmlite_id_to_piece(tokenizer, id)                           -> text
//
// With spans, which are told by two more calls:
//   spmlite_encode_with_spans(tokenizer, text, size)             -> ids
//   spmlite_decode_with_spans(tokenizer, ids, count)             -> text
//   spmlite_rewritten(tokenizer)      -> that text, as a denormalizer rewrites it
//   spmlite_spans(tokenizer, unit)    -> spans, counted in an OffsetUnit: 0 bytes,
//                                        1 code points, 2 UTF-16 units
//   spmlite_pieces(tokenizer)         -> text: all pieces, one after the other
//                                        spans: of each in it, in UTF-16 units
// What was encoded must lie where it was until then.
//
// Cutting to a number of tokens (core/extra/splitting.h):
//   spmlite_truncate(tokenizer, text, size, max_tokens)          -> parts, of one
//   spmlite_split(tokenizer, text, size, max_tokens, overlap)    -> parts
//       in the place of ids: of each its begin and end in UTF-16 units, and the
//       number of its tokens
//
// Decoding as ids come in:
//   spmlite_decoder_create(tokenizer) -> decoder     to be destroyed first
//   spmlite_decoder_destroy(decoder)
//   spmlite_decoder_add(tokenizer, decoder, ids, count)          -> text
//   spmlite_decoder_finish(tokenizer, decoder)                   -> text
//
// These return their value:
//   spmlite_piece_to_id(tokenizer, piece, size)
//   spmlite_score(tokenizer, id), spmlite_type(tokenizer, id), of an id that is one
//   spmlite_vocab_size, spmlite_model_type, spmlite_unk_id, spmlite_bos_id,
//   spmlite_eos_id, spmlite_pad_id (tokenizer)

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "exports.h"
#include "pipeline.h"
#include "sentencepiece_extra.h"
#include "sentencepiece_lite.h"
#include "splitting.h"
#include "tokenizer.h"

namespace spmlite {

using sentencepiece::lite::CachedSentencePieceLite;
using sentencepiece::lite::Model;
using sentencepiece::lite::OffsetUnit;
using sentencepiece::lite::StreamingDecoder;
using sentencepiece::lite::TextPart;

namespace {

// Calls are made on loaded models alone: see spmlite_status.
const Model& ModelOf(const Tokenizer* tokenizer) { return tokenizer->processor.pipeline()->model; }

bool AreIds(std::span<const int> ids, const Tokenizer* tokenizer) {
  return std::ranges::all_of(ids, [&](int id) { return ModelOf(tokenizer).Has(id); });
}

// The end of every call that makes a text.
StatusCode GiveTextOr(StatusCode status, const std::string& text, Tokenizer* tokenizer) {
  if (status == StatusCode::kOk) {
    tokenizer->outcome.GiveText(text);
  } else {
    GiveFailure(tokenizer);
  }
  return status;
}

void GiveSpans(std::string_view text, OffsetUnit unit, Tokenizer* tokenizer) {
  CountIn(unit, text, &tokenizer->spans);
  tokenizer->outcome.spans = reinterpret_cast<const uint32_t*>(tokenizer->spans.data());
}

StatusCode GivePartsOr(StatusCode status, std::span<const TextPart> parts, Tokenizer* tokenizer) {
  tokenizer->ids.clear();
  for (const TextPart& part : parts) {
    tokenizer->ids.push_back(static_cast<int>(part.span.begin));
    tokenizer->ids.push_back(static_cast<int>(part.span.end));
    tokenizer->ids.push_back(static_cast<int>(part.token_count));
  }
  return GiveIdsOr(status, tokenizer);
}

}  // namespace

SPMLITE_EXPORT(spmlite_create)
Tokenizer* spmlite_create(char* blob, size_t size, Checks checks) {
  auto* tokenizer = new Tokenizer(blob, size, checks);
  tokenizer->outcome.GiveText(tokenizer->processor.status_message());
  return tokenizer;
}

SPMLITE_EXPORT(spmlite_destroy) void spmlite_destroy(Tokenizer* tokenizer) { delete tokenizer; }

SPMLITE_EXPORT(spmlite_status)
StatusCode spmlite_status(const Tokenizer* tokenizer) { return tokenizer->processor.status(); }

SPMLITE_EXPORT(spmlite_encode)
StatusCode spmlite_encode(Tokenizer* tokenizer, const char* text, size_t size) {
  return GiveIdsOr(CachedSentencePieceLite::Encode(tokenizer->processor, tokenizer->cache,
                                                   {text, size}, &tokenizer->ids),
                   tokenizer);
}

SPMLITE_EXPORT(spmlite_encode_with_spans)
StatusCode spmlite_encode_with_spans(Tokenizer* tokenizer, const char* text, size_t size) {
  NormalizedPieces& found = tokenizer->found;
  const StatusCode status =
      EncodePieces(tokenizer->processor, tokenizer->cache, {text, size}, &found);
  if (status == StatusCode::kOk) {
    tokenizer->spanned = {text, size};
    SentencePieceLiteProcessor::SpansOf(tokenizer->spanned, found.normalized, found.offsets,
                                        found.pieces, OffsetUnit::kByte, &tokenizer->byte_spans);
    // Of unknown text the piece is the text.
    const Model& model = ModelOf(tokenizer);
    for (size_t i = 0; i < found.ids.size(); ++i) {
      if (found.ids[i] != model.unknown_id()) found.pieces[i] = model.piece(found.ids[i]);
    }
  }
  tokenizer->ids.swap(found.ids);
  return GiveIdsOr(status, tokenizer);
}

SPMLITE_EXPORT(spmlite_decode)
StatusCode spmlite_decode(Tokenizer* tokenizer, const int* ids, size_t count) {
  return GiveTextOr(tokenizer->processor.Decode({ids, count}, &tokenizer->text), tokenizer->text,
                    tokenizer);
}

SPMLITE_EXPORT(spmlite_decode_with_spans)
StatusCode spmlite_decode_with_spans(Tokenizer* tokenizer, const int* ids, size_t count) {
  if (!AreIds({ids, count}, tokenizer)) return StatusCode::kOutOfRange;
  NormalizedPieces& found = tokenizer->found;
  found.pieces.clear();
  for (const int id : std::span(ids, count)) {
    found.pieces.push_back(ModelOf(tokenizer).piece(id));
  }
  const StatusCode decoded =
      DecodeWithSpans(tokenizer->processor, {ids, count}, found.pieces, &found.normalized,
                      &tokenizer->text, &tokenizer->byte_spans);
  tokenizer->spanned = found.normalized;
  return GiveTextOr(decoded, found.normalized, tokenizer);
}

SPMLITE_EXPORT(spmlite_rewritten) void spmlite_rewritten(Tokenizer* tokenizer) {
  tokenizer->outcome.GiveText(tokenizer->text);
}

SPMLITE_EXPORT(spmlite_spans) void spmlite_spans(Tokenizer* tokenizer, OffsetUnit unit) {
  tokenizer->spans = tokenizer->byte_spans;
  GiveSpans(tokenizer->spanned, unit, tokenizer);
}

SPMLITE_EXPORT(spmlite_pieces) void spmlite_pieces(Tokenizer* tokenizer) {
  tokenizer->piece_text.clear();
  tokenizer->spans.clear();
  for (const std::string_view piece : tokenizer->found.pieces) {
    const auto begin = static_cast<uint32_t>(tokenizer->piece_text.size());
    tokenizer->piece_text += piece;
    tokenizer->spans.push_back({begin, static_cast<uint32_t>(tokenizer->piece_text.size())});
  }
  tokenizer->outcome.GiveText(tokenizer->piece_text);
  GiveSpans(tokenizer->piece_text, OffsetUnit::kUtf16, tokenizer);
}

SPMLITE_EXPORT(spmlite_truncate)
StatusCode spmlite_truncate(Tokenizer* tokenizer, const char* text, size_t size,
                            size_t max_tokens) {
  TextPart part;
  const StatusCode status = Truncate(tokenizer->processor, tokenizer->cache, {text, size},
                                     max_tokens, OffsetUnit::kUtf16, &part);
  return GivePartsOr(status, {&part, 1}, tokenizer);
}

SPMLITE_EXPORT(spmlite_split)
StatusCode spmlite_split(Tokenizer* tokenizer, const char* text, size_t size, size_t max_tokens,
                         size_t overlap) {
  std::vector<TextPart> parts;
  const StatusCode status = Split(tokenizer->processor, tokenizer->cache, {text, size}, max_tokens,
                                  overlap, OffsetUnit::kUtf16, &parts);
  return GivePartsOr(status, parts, tokenizer);
}

SPMLITE_EXPORT(spmlite_decoder_create)
StreamingDecoder* spmlite_decoder_create(const Tokenizer* tokenizer) {
  return new StreamingDecoder(tokenizer->processor);
}

SPMLITE_EXPORT(spmlite_decoder_destroy)
void spmlite_decoder_destroy(StreamingDecoder* decoder) { delete decoder; }

SPMLITE_EXPORT(spmlite_decoder_add)
StatusCode spmlite_decoder_add(Tokenizer* tokenizer, StreamingDecoder* decoder, const int* ids,
                               size_t count) {
  if (!AreIds({ids, count}, tokenizer)) return StatusCode::kOutOfRange;
  tokenizer->text.clear();
  for (const int id : std::span(ids, count)) decoder->Add(id, &tokenizer->text);
  tokenizer->outcome.GiveText(tokenizer->text);
  return StatusCode::kOk;
}

SPMLITE_EXPORT(spmlite_decoder_finish)
StatusCode spmlite_decoder_finish(Tokenizer* tokenizer, StreamingDecoder* decoder) {
  tokenizer->text.clear();
  return GiveTextOr(decoder->Finish(&tokenizer->text), tokenizer->text, tokenizer);
}

SPMLITE_EXPORT(spmlite_normalize)
StatusCode spmlite_normalize(Tokenizer* tokenizer, const char* text, size_t size) {
  return GiveTextOr(tokenizer->processor.Normalize({text, size}, &tokenizer->text), tokenizer->text,
                    tokenizer);
}

SPMLITE_EXPORT(spmlite_id_to_piece)
StatusCode spmlite_id_to_piece(Tokenizer* tokenizer, int id) {
  if (!ModelOf(tokenizer).Has(id)) return StatusCode::kOutOfRange;
  tokenizer->outcome.GiveText(ModelOf(tokenizer).piece(id));
  return StatusCode::kOk;
}

SPMLITE_EXPORT(spmlite_piece_to_id)
int spmlite_piece_to_id(const Tokenizer* tokenizer, const char* piece, size_t size) {
  return tokenizer->processor.PieceToId({piece, size});
}

SPMLITE_EXPORT(spmlite_score)
float spmlite_score(const Tokenizer* tokenizer, int id) { return ModelOf(tokenizer).score(id); }

SPMLITE_EXPORT(spmlite_type)
int spmlite_type(const Tokenizer* tokenizer, int id) { return ModelOf(tokenizer).piece_type(id); }

SPMLITE_EXPORT(spmlite_vocab_size)
size_t spmlite_vocab_size(const Tokenizer* tokenizer) { return ModelOf(tokenizer).size(); }

SPMLITE_EXPORT(spmlite_model_type)
int spmlite_model_type(const Tokenizer* tokenizer) { return ModelOf(tokenizer).type(); }

SPMLITE_EXPORT(spmlite_unk_id)
int spmlite_unk_id(const Tokenizer* tokenizer) { return ModelOf(tokenizer).unk_id(); }

SPMLITE_EXPORT(spmlite_bos_id)
int spmlite_bos_id(const Tokenizer* tokenizer) { return ModelOf(tokenizer).bos_id(); }

SPMLITE_EXPORT(spmlite_eos_id)
int spmlite_eos_id(const Tokenizer* tokenizer) { return ModelOf(tokenizer).eos_id(); }

SPMLITE_EXPORT(spmlite_pad_id)
int spmlite_pad_id(const Tokenizer* tokenizer) { return ModelOf(tokenizer).pad_id(); }

}  // namespace spmlite
