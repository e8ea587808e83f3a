// Decoding as ids come in.

#include <memory>
#include <string>

#include "decoder.h"
#include "pipeline.h"
#include "sentencepiece_extra.h"

namespace sentencepiece::lite {

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

}  // namespace sentencepiece::lite
