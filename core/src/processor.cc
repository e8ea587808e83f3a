// The public face: what is asked for is checked, then a text goes down the pipeline.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "decoder.h"
#include "emitter.h"
#include "offsets.h"
#include "pipeline.h"
#include "sentencepiece_lite.h"

namespace sentencepiece::lite {

namespace {

constexpr size_t kMaxLength = Normalizer::kMaxSize;

// Whether decoding has made more than positions can count, which is then dropped.
bool IsTooLong(std::string* text) {
  if (text->size() <= kMaxLength) return false;
  text->clear();
  return true;
}

}  // namespace

SentencePieceLiteProcessor::SentencePieceLiteProcessor(std::string_view buffer, Checks checks) {
  Load(buffer, checks);
}

SentencePieceLiteProcessor::SentencePieceLiteProcessor(std::shared_ptr<std::string> buffer,
                                                       Checks checks)
    : shared_buffer_(std::move(buffer)) {
  if (shared_buffer_ == nullptr) {
    status_ = StatusCode::kInvalidArgument;
    message_ = "not a .spm.fb model: the buffer is null";
    return;
  }
  Load(*shared_buffer_, checks);
}

SentencePieceLiteProcessor::~SentencePieceLiteProcessor() = default;

void SentencePieceLiteProcessor::Load(std::string_view buffer, Checks checks) {
  auto pipeline = std::make_unique<Pipeline>();
  status_ = pipeline->Load(buffer, checks, &message_);
  if (status_ == StatusCode::kOk) pipeline_ = std::move(pipeline);
}

StatusCode SentencePieceLiteProcessor::status() const { return status_; }

std::string_view SentencePieceLiteProcessor::status_message() const { return message_; }

StatusCode SentencePieceLiteProcessor::Normalize(std::string_view input, std::string* output,
                                                 std::vector<size_t>* offset) const {
  if (offset != nullptr) offset->clear();
  if (output == nullptr) return StatusCode::kInvalidArgument;
  output->clear();
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (input.size() > kMaxLength) return StatusCode::kInvalidArgument;
  return pipeline_->normalizer.Normalize(input, output, offset) ? StatusCode::kOk
                                                                : StatusCode::kInvalidArgument;
}

bool SentencePieceLiteProcessor::CanSkipNormalization(std::string_view input) const {
  return pipeline_ != nullptr && pipeline_->normalizer.LeavesUnchanged(input);
}

StatusCode SentencePieceLiteProcessor::Encode(std::string_view input, std::vector<int>* ids) const {
  if (CanSkipNormalization(input)) return EncodeNormalized(input, ids);
  if (ids != nullptr) ids->clear();
  std::string normalized;
  const StatusCode code = Normalize(input, &normalized);
  return code == StatusCode::kOk ? EncodeNormalized(normalized, ids) : code;
}

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
  UnitCounter counter(input, unit);
  spans->clear();
  spans->reserve(pieces.size());
  for (const std::string_view piece : pieces) {
    const size_t begin = static_cast<size_t>(piece.data() - normalized.data());
    const uint32_t first = counter.CountTo(offset[begin]);
    spans->push_back({first, counter.CountTo(offset[begin + piece.size()])});
  }
}

StatusCode SentencePieceLiteProcessor::SampleNormalized(
    std::string_view normalized, float alpha, FunctionRef<float()> uniform_sampler,
    std::vector<int>* ids, std::vector<std::string_view>* pieces) const {
  const StatusCode code = Prepare(normalized, ids, pieces);
  if (code != StatusCode::kOk) return code;
  const int type = model_type();
  if (!(alpha >= 0) || !std::isfinite(alpha) ||
      (type != ModelType_UNIGRAM && type != ModelType_BPE)) {
    return StatusCode::kInvalidArgument;
  }
  Emitter emitter(pipeline_->model, ids, pieces);
  pipeline_->Sample(normalized, alpha, uniform_sampler, &emitter);
  return StatusCode::kOk;
}

StatusCode SentencePieceLiteProcessor::Prepare(std::string_view normalized, std::vector<int>* ids,
                                               std::vector<std::string_view>* pieces) const {
  if (pieces != nullptr) pieces->clear();
  if (ids == nullptr) return StatusCode::kInvalidArgument;
  ids->clear();
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  return normalized.size() > kMaxLength ? StatusCode::kInvalidArgument : StatusCode::kOk;
}

StatusCode SentencePieceLiteProcessor::EncodeNormalized(
    std::string_view normalized, std::vector<int>* ids,
    std::vector<std::string_view>* pieces) const {
  const StatusCode code = Prepare(normalized, ids, pieces);
  if (code != StatusCode::kOk) return code;
  pipeline_->Encode(normalized, ids, pieces);
  return StatusCode::kOk;
}

StatusCode SentencePieceLiteProcessor::EncodeNormalizedChunk(
    std::string_view normalized_chunk, std::vector<int>* ids,
    std::vector<std::string_view>* pieces) const {
  return EncodeNormalized(normalized_chunk, ids, pieces);
}

StatusCode SentencePieceLiteProcessor::PretokenizeAtSafeBoundaries(
    std::string_view normalized, FunctionRef<void(std::string_view)> receiver) const {
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (normalized.size() > kMaxLength) return StatusCode::kInvalidArgument;
  pipeline_->ForEachChunk(normalized, receiver);
  return StatusCode::kOk;
}

StatusCode SentencePieceLiteProcessor::PretokenizeAtSafeBoundaries(
    std::string_view normalized, std::vector<std::string_view>* out) const {
  if (out == nullptr) return StatusCode::kInvalidArgument;
  out->clear();
  return PretokenizeAtSafeBoundaries(normalized,
                                     [out](std::string_view chunk) { out->push_back(chunk); });
}

StatusCode SentencePieceLiteProcessor::Decode(Span<const int> ids, std::string* output,
                                              std::vector<std::string_view>* pieces) const {
  if (output == nullptr) return StatusCode::kInvalidArgument;
  output->clear();
  if (pieces != nullptr) pieces->clear();
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  const Model& model = pipeline_->model;
  const bool known = std::all_of(ids.begin(), ids.end(), [&](int id) { return model.Has(id); });
  if (!known) return StatusCode::kOutOfRange;

  std::vector<TokenSpan> spans;
  Decoder decoder = pipeline_->MakeDecoder(output, pieces == nullptr ? nullptr : &spans);
  for (const int id : ids) {
    decoder.Add(id, model.piece(id));
    if (IsTooLong(output)) return StatusCode::kInvalidArgument;
  }
  decoder.Finish();
  if (!pipeline_->Denormalize(output)) return StatusCode::kInvalidArgument;
  const bool rewritten = model.denormalizer_spec() != nullptr;
  for (const TokenSpan span : spans) {
    pieces->push_back(rewritten
                          ? std::string_view()
                          : std::string_view(*output).substr(span.begin, span.end - span.begin));
  }
  return StatusCode::kOk;
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
    if (IsTooLong(output)) return StatusCode::kInvalidArgument;
  }
  decoder.Finish();
  return pipeline_->Denormalize(output) ? StatusCode::kOk : StatusCode::kInvalidArgument;
}

StreamingDecoder::StreamingDecoder(const SentencePieceLiteProcessor& processor)
    : pipeline_(processor.pipeline()) {}

StreamingDecoder::~StreamingDecoder() = default;

StatusCode StreamingDecoder::Add(int id, std::string* text) {
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (text == nullptr) return StatusCode::kInvalidArgument;
  if (!pipeline_->model.Has(id)) return StatusCode::kOutOfRange;
  if (decoder_ == nullptr) {
    decoder_ = std::make_unique<Decoder>(pipeline_->MakeDecoder(&ready_, nullptr));
  }
  decoder_->Add(id, pipeline_->model.piece(id));
  // A denormalizer rewrites the text as a whole, so all of it waits.
  if (pipeline_->model.denormalizer_spec() != nullptr) return StatusCode::kOk;
  text->append(ready_);
  ready_.clear();
  return StatusCode::kOk;
}

StatusCode StreamingDecoder::Finish(std::string* text) {
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (text == nullptr) return StatusCode::kInvalidArgument;
  if (decoder_ != nullptr) decoder_->Finish();
  const bool fits = pipeline_->Denormalize(&ready_);
  text->append(ready_);
  ready_.clear();
  decoder_.reset();
  return fits ? StatusCode::kOk : StatusCode::kInvalidArgument;
}

int SentencePieceLiteProcessor::PieceToId(std::string_view piece) const {
  if (pipeline_ == nullptr) return -1;
  const int id = pipeline_->model.pieces_trie().Find(piece);
  return id < 0 ? pipeline_->model.unknown_id() : id;
}

std::string_view SentencePieceLiteProcessor::IdToPiece(int id) const {
  if (pipeline_ == nullptr) return "<unk>";
  const Model& model = pipeline_->model;
  if (model.Has(id)) return model.piece(id);
  return model.unknown_id() < 0 ? "<unk>" : model.piece(model.unknown_id());
}

float SentencePieceLiteProcessor::GetScore(int id) const {
  if (pipeline_ == nullptr || !pipeline_->model.Has(id)) return 0;
  return pipeline_->model.score(id);
}

int SentencePieceLiteProcessor::unk_id() const {
  return pipeline_ == nullptr ? -1 : pipeline_->model.unk_id();
}

int SentencePieceLiteProcessor::bos_id() const {
  return pipeline_ == nullptr ? -1 : pipeline_->model.bos_id();
}

int SentencePieceLiteProcessor::eos_id() const {
  return pipeline_ == nullptr ? -1 : pipeline_->model.eos_id();
}

int SentencePieceLiteProcessor::pad_id() const {
  return pipeline_ == nullptr ? -1 : pipeline_->model.pad_id();
}

size_t SentencePieceLiteProcessor::vocab_size() const {
  return pipeline_ == nullptr ? 0 : static_cast<size_t>(pipeline_->model.size());
}

int SentencePieceLiteProcessor::piece_type(int id) const {
  if (pipeline_ == nullptr || !pipeline_->model.Has(id)) return -1;
  return pipeline_->model.piece_type(id);
}

int SentencePieceLiteProcessor::model_type() const {
  return pipeline_ == nullptr ? -1 : pipeline_->model.type();
}

}  // namespace sentencepiece::lite
