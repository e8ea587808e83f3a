// The public face: what is asked for is checked, then a text goes down the pipeline.

#include <algorithm>
#include <cstdint>

#include "cached_sentencepiece_lite.h"
#include "decoder.h"
#include "pipeline.h"
#include "sentencepiece_lite.h"
#include "token_cache.h"

namespace sentencepiece::lite {

using Processor = SentencePieceLiteProcessor;

SentencePieceLiteProcessor::SentencePieceLiteProcessor(std::string_view buffer, Checks checks) {
  Load(buffer, checks);
}

SentencePieceLiteProcessor::SentencePieceLiteProcessor(std::shared_ptr<std::string> buffer,
                                                       Checks checks)
    : shared_buffer_(std::move(buffer)) {
  Load(shared_buffer_ == nullptr ? std::string_view() : *shared_buffer_, checks);
}

SentencePieceLiteProcessor::~SentencePieceLiteProcessor() = default;

void Processor::Load(std::string_view buffer, Checks checks) {
  auto pipeline = std::make_unique<Pipeline>();
  status_ = pipeline->Load(buffer, checks, &message_);
  if (status_ == StatusCode::kOk) pipeline_ = std::move(pipeline);
}

StatusCode Processor::Normalize(std::string_view input, std::string* output,
                                std::vector<size_t>* offset) const {
  if (offset != nullptr) offset->clear();
  if (output == nullptr) return StatusCode::kInvalidArgument;
  output->clear();
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (input.size() > Normalizer::kMaxSize) return StatusCode::kInvalidArgument;
  return pipeline_->normalizer.Normalize(input, output, offset) ? StatusCode::kOk
                                                                : StatusCode::kInvalidArgument;
}

bool Processor::CanSkipNormalization(std::string_view input) const {
  return pipeline_ != nullptr && pipeline_->normalizer.LeavesUnchanged(input);
}

StatusCode Processor::Encode(std::string_view input, std::vector<int>* ids) const {
  const StatusCode code = Prepare(input, ids, nullptr);
  return code == StatusCode::kOk ? pipeline_->Encode(input, nullptr, ids) : code;
}

StatusCode Processor::Prepare(std::string_view normalized, std::vector<int>* ids,
                              std::vector<std::string_view>* pieces) const {
  if (pieces != nullptr) pieces->clear();
  if (ids == nullptr) return StatusCode::kInvalidArgument;
  ids->clear();
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  return normalized.size() > Normalizer::kMaxSize ? StatusCode::kInvalidArgument : StatusCode::kOk;
}

StatusCode Processor::EncodeNormalized(std::string_view normalized, std::vector<int>* ids,
                                       std::vector<std::string_view>* pieces) const {
  const StatusCode code = Prepare(normalized, ids, pieces);
  if (code == StatusCode::kOk) pipeline_->EncodeNormalized(normalized, nullptr, ids, pieces);
  return code;
}

StatusCode Processor::PretokenizeAtSafeBoundaries(
    std::string_view normalized, FunctionRef<void(std::string_view)> receiver) const {
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (normalized.size() > Normalizer::kMaxSize) return StatusCode::kInvalidArgument;
  pipeline_->ForEachChunk(normalized, receiver);
  return StatusCode::kOk;
}

StatusCode Processor::PretokenizeAtSafeBoundaries(std::string_view normalized,
                                                  std::vector<std::string_view>* out) const {
  if (out == nullptr) return StatusCode::kInvalidArgument;
  out->clear();
  return PretokenizeAtSafeBoundaries(normalized,
                                     [out](std::string_view chunk) { out->push_back(chunk); });
}

StatusCode Processor::Decode(Span<const int> ids, std::string* output,
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
  for (size_t i = 0; i < ids.size();) {
    const size_t plain = decoder.AddPlain({ids.data() + i, ids.size() - i});
    if (plain == 0) decoder.Add(ids[i], model.piece(ids[i]));
    i += std::max(plain, size_t{1});
    if (output->size() <= Normalizer::kMaxSize) continue;
    output->clear();
    return StatusCode::kInvalidArgument;
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

int Processor::PieceToId(std::string_view piece) const {
  const int id = model().pieces_trie().Find(piece);
  return id < 0 ? model().unknown_id() : id;
}

std::string_view Processor::IdToPiece(int id) const {
  if (!model().Has(id)) id = model().unknown_id();
  return id < 0 ? "<unk>" : model().piece(id);
}

float Processor::GetScore(int id) const { return model().Has(id) ? model().score(id) : 0; }

int Processor::unk_id() const { return model().unk_id(); }
int Processor::bos_id() const { return model().bos_id(); }
int Processor::eos_id() const { return model().eos_id(); }
int Processor::pad_id() const { return model().pad_id(); }

size_t Processor::vocab_size() const { return static_cast<size_t>(model().size()); }

int Processor::piece_type(int id) const { return model().Has(id) ? model().piece_type(id) : -1; }

int Processor::model_type() const { return pipeline_ == nullptr ? -1 : model().type(); }

const Model& Processor::model() const {
  static const Model kNone;
  return pipeline_ == nullptr ? kNone : pipeline_->model;
}

TokenCache::TokenCache(Capacity capacity, uint64_t seed)
    : pairs_(static_cast<size_t>(capacity)),
      seed_(seed == 0 ? reinterpret_cast<uintptr_t>(this) : seed) {}

TokenCache::~TokenCache() = default;

void TokenCache::Clear() { tables_.reset(); }

ChunkTables* TokenCache::tables() {
  if (tables_ == nullptr) tables_ = std::make_unique<ChunkTables>(pairs_, seed_);
  return tables_.get();
}

StatusCode CachedSentencePieceLite::Encode(const Processor& processor, TokenCache& cache,
                                           std::string_view text, std::vector<int>* ids) {
  const StatusCode code = processor.Prepare(text, ids, nullptr);
  return code == StatusCode::kOk ? processor.pipeline()->Encode(text, cache.tables(), ids) : code;
}

StatusCode CachedSentencePieceLite::EncodeNormalized(const Processor& processor, TokenCache& cache,
                                                     std::string_view normalized_text,
                                                     std::vector<int>* ids) {
  const StatusCode code = processor.Prepare(normalized_text, ids, nullptr);
  if (code != StatusCode::kOk) return code;
  processor.pipeline()->EncodeNormalized(normalized_text, cache.tables(), ids, nullptr);
  return code;
}

}  // namespace sentencepiece::lite
