// Where tokens lie in a text, in the unit that is asked for.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "decoder.h"
#include "pipeline.h"
#include "sentencepiece_extra.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// Counts along a text: each place it is asked for lies at or after the one
// before.
class UnitCounter {
 public:
  UnitCounter(std::string_view text, OffsetUnit unit) : text_(text), unit_(unit) {}

  // How many units lie before the byte `end`. A byte that is not UTF-8 is one.
  uint32_t CountTo(size_t end) {
    while (byte_ < end) {
      const size_t length = WellFormedLength(text_.substr(byte_));
      byte_ += length == 0 ? 1 : length;
      count_ += length == 4 && unit_ == OffsetUnit::kUtf16 ? 2 : 1;
    }
    return count_;
  }

 private:
  std::string_view text_;
  OffsetUnit unit_;
  size_t byte_ = 0;
  uint32_t count_ = 0;
};

}  // namespace

StatusCode SentencePieceLiteProcessor::EncodeWithSpans(std::string_view input, OffsetUnit unit,
                                                       std::vector<int>* ids,
                                                       std::vector<TokenSpan>* spans) const {
  if (ids != nullptr) ids->clear();
  if (spans == nullptr) return StatusCode::kInvalidArgument;
  spans->clear();
  std::string normalized;
  std::vector<size_t> offsets;
  StatusCode code = Normalize(input, &normalized, &offsets);
  if (code != StatusCode::kOk) return code;
  std::vector<std::string_view> pieces;
  code = EncodeNormalized(normalized, ids, &pieces);
  if (code != StatusCode::kOk) return code;
  SpansOf(input, normalized, offsets, pieces, unit, spans);
  return StatusCode::kOk;
}

void SentencePieceLiteProcessor::SpansOf(std::string_view input, std::string_view normalized,
                                         Span<const size_t> offset,
                                         Span<const std::string_view> pieces, OffsetUnit unit,
                                         std::vector<TokenSpan>* spans) {
  spans->clear();
  spans->reserve(pieces.size());
  for (const std::string_view piece : pieces) {
    const size_t begin = static_cast<size_t>(piece.data() - normalized.data());
    spans->push_back({static_cast<uint32_t>(offset[begin]),
                      static_cast<uint32_t>(offset[begin + piece.size()])});
  }
  CountIn(unit, input, spans);
}

void CountIn(OffsetUnit unit, std::string_view text, std::vector<TokenSpan>* spans) {
  if (unit == OffsetUnit::kByte) return;
  UnitCounter counter(text, unit);
  for (TokenSpan& span : *spans) span = {counter.CountTo(span.begin), counter.CountTo(span.end)};
}

StatusCode DecodeWithSpans(const SentencePieceLiteProcessor& processor, Span<const int> ids,
                           Span<const std::string_view> pieces, std::string* text,
                           std::string* rewritten, std::vector<TokenSpan>* spans) {
  if (text == nullptr || rewritten == nullptr || spans == nullptr || ids.size() != pieces.size()) {
    return StatusCode::kInvalidArgument;
  }
  text->clear();
  rewritten->clear();
  spans->clear();
  if (processor.pipeline() == nullptr) return StatusCode::kFailedPrecondition;
  Decoder decoder = processor.pipeline()->MakeDecoder(text, spans);
  for (size_t i = 0; i < ids.size(); ++i) {
    decoder.Add(ids[i], pieces[i]);
    if (text->size() > Normalizer::kMaxSize) return StatusCode::kInvalidArgument;
  }
  decoder.Finish();
  *rewritten = *text;
  return processor.pipeline()->Denormalize(rewritten) ? StatusCode::kOk
                                                      : StatusCode::kInvalidArgument;
}

StatusCode SentencePieceLiteProcessor::DecodePieces(Span<const std::string_view> pieces,
                                                    std::string* output) const {
  if (output == nullptr) return StatusCode::kInvalidArgument;
  output->clear();
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  Decoder decoder = pipeline_->MakeDecoder(output, nullptr);
  for (const std::string_view piece : pieces) {
    const int id = pipeline_->model.pieces_trie().Find(piece);
    decoder.Add(id < 0 ? pipeline_->model.unknown_id() : id, piece);
    if (output->size() > Normalizer::kMaxSize) {
      output->clear();
      return StatusCode::kInvalidArgument;
    }
  }
  decoder.Finish();
  return pipeline_->Denormalize(output) ? StatusCode::kOk : StatusCode::kInvalidArgument;
}

}  // namespace sentencepiece::lite
