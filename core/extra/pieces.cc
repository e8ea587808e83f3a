// Ids by way of a cache, and then the piece of each.

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "pipeline.h"
#include "sentencepiece_extra.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// Whether ids tell the pieces of a text in which nothing is unknown: bytes then spell one
// character. UNUSED pieces leave unknown ones of any length, and WORD has whole words.
bool TellPieces(const Model& model) {
  return (model.type() == ModelType_BPE || model.type() == ModelType_UNIGRAM) &&
         !model.has_unused();
}

// Takes the pieces of `ids` off the front of `text`, one after another. What an id covers is
// as long as its piece, or a character that byte pieces spell. False where that is not the
// text, and where a piece is unknown, since neighbours of that kind join.
bool FindPieces(const Model& model, std::string_view text, Span<const int> ids,
                std::vector<std::string_view>* pieces) {
  pieces->reserve(ids.size());
  while (pieces->size() < ids.size()) {
    const size_t i = pieces->size();
    const int id = ids[i];
    if (model.piece_type(id) != PieceType_BYTE) {
      const std::string_view piece = model.piece(id);
      if (id == model.unknown_id() || !text.starts_with(piece)) return false;
      pieces->push_back(text.substr(0, piece.size()));
      text.remove_prefix(piece.size());
      continue;
    }
    const size_t size = text.empty() ? 0 : CharacterLength(text);
    if (size == 0 || size > ids.size() - i) return false;
    for (size_t k = 0; k < size; ++k) {
      if (ids[i + k] != model.byte_id(static_cast<unsigned char>(text[k]))) return false;
      pieces->push_back(text.substr(0, k + 1 == size ? size : 0));
    }
    text.remove_prefix(size);
  }
  return text.empty();
}

}  // namespace

StatusCode EncodePieces(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                        std::string_view input, NormalizedPieces* found) {
  found->ids.clear();
  found->pieces.clear();
  StatusCode code = processor.Normalize(input, &found->normalized, &found->offsets);
  if (code != StatusCode::kOk) return code;
  const Model& model = processor.pipeline()->model;
  if (TellPieces(model)) {
    // It normalizes once more, to spaces for marks: so most chunks are ASCII, and known to the
    // cache from calls without spans.
    code = CachedSentencePieceLite::Encode(processor, cache, input, &found->ids);
    if (code != StatusCode::kOk) return code;
    if (FindPieces(model, found->normalized, found->ids, &found->pieces)) return code;
  }
  return processor.EncodeNormalized(found->normalized, &found->ids, &found->pieces);
}

StatusCode EncodeWithSpans(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                           std::string_view input, OffsetUnit unit, std::vector<int>* ids,
                           std::vector<TokenSpan>* spans) {
  NormalizedPieces found;
  const StatusCode code = EncodePieces(processor, cache, input, &found);
  *ids = std::move(found.ids);
  SentencePieceLiteProcessor::SpansOf(input, found.normalized, found.offsets, found.pieces, unit,
                                      spans);
  return code;
}

}  // namespace sentencepiece::lite
