// The public face: leads a text through the steps.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "bpe.h"
#include "character.h"
#include "decoder.h"
#include "emitter.h"
#include "model.h"
#include "normalizer.h"
#include "offsets.h"
#include "segmenter.h"
#include "sentencepiece_lite.h"
#include "unigram.h"
#include "word.h"

namespace sentencepiece::lite {

// The steps, loaded.
class Pipeline {
 public:
  StatusCode Load(std::string_view blob, std::string* message) {
    StatusCode code = model.Load(blob, message);
    if (code != StatusCode::kOk) return code;
    code = normalizer.Load(model.normalizer_spec(), model.user_defined_trie(),
                           "normalizer_spec", message);
    if (code != StatusCode::kOk) return code;
    if (model.denormalizer_spec() != nullptr) {
      code = denormalizer.Load(model.denormalizer_spec(), no_user_defined_,
                               "denormalizer_spec", message);
      if (code != StatusCode::kOk) return code;
    }
    if (CutsAreSafe()) segmenter.Load(model.pair_trie());
    return StatusCode::kOk;
  }

  template <typename Receive>
  void ForEachChunk(std::string_view normalized, Receive&& receive) const {
    while (!normalized.empty()) {
      const size_t length = segmenter.ChunkLength(normalized);
      receive(normalized.substr(0, length));
      normalized.remove_prefix(length);
    }
  }

  void Encode(std::string_view normalized, std::vector<int>* ids,
              std::vector<std::string_view>* pieces) const {
    Emitter emitter(model, ids, pieces);
    const auto encode = [&](auto encoder) {
      ForEachChunk(normalized, [&](std::string_view chunk) {
        encoder.Encode(chunk, &emitter);
      });
    };
    switch (model.type()) {
      case ModelType_BPE:
        return encode(BpeEncoder(model));
      case ModelType_WORD:
        return encode(WordEncoder(model));
      case ModelType_CHAR:
        return encode(CharacterEncoder(model));
      default:
        return encode(UnigramEncoder(model));
    }
  }

  Decoder MakeDecoder(std::string* text, std::vector<TokenSpan>* spans) const {
    return Decoder(
        model,
        normalizer.add_dummy_prefix() || normalizer.remove_extra_whitespaces(),
        normalizer.remove_extra_whitespaces(), text, spans);
  }

  void Denormalize(std::string* text) const {
    if (model.denormalizer_spec() == nullptr) return;
    const std::string decoded = std::move(*text);
    denormalizer.Normalize(decoded, text, nullptr);
  }

  Model model;
  Normalizer normalizer;
  Normalizer denormalizer;
  Segmenter segmenter;

 private:
  // Not where more than the pieces at hand counts: the last split of an UNUSED
  // piece over a whole text of BPE, the words of WORD.
  bool CutsAreSafe() const {
    return model.type() == ModelType_UNIGRAM ||
           (model.type() == ModelType_BPE && !model.has_unused());
  }

  DoubleArray no_user_defined_;
};

namespace {

// Positions are 32 bits wide, and so are the lengths of the published API.
constexpr size_t kMaxLength = std::numeric_limits<int32_t>::max() - 1;

}  // namespace

SentencePieceLiteProcessor::SentencePieceLiteProcessor(
    std::string_view buffer) {
  Load(buffer);
}

SentencePieceLiteProcessor::SentencePieceLiteProcessor(
    std::shared_ptr<std::string> buffer)
    : shared_buffer_(std::move(buffer)) {
  if (shared_buffer_ == nullptr) {
    status_ = StatusCode::kInvalidArgument;
    message_ = "not a .spm.fb model: the buffer is null";
    return;
  }
  Load(*shared_buffer_);
}

SentencePieceLiteProcessor::~SentencePieceLiteProcessor() = default;

void SentencePieceLiteProcessor::Load(std::string_view buffer) {
  auto pipeline = std::make_unique<Pipeline>();
  status_ = pipeline->Load(buffer, &message_);
  if (status_ == StatusCode::kOk) pipeline_ = std::move(pipeline);
}

StatusCode SentencePieceLiteProcessor::status() const { return status_; }

std::string_view SentencePieceLiteProcessor::status_message() const {
  return message_;
}

StatusCode SentencePieceLiteProcessor::Normalize(
    std::string_view input, std::string* output,
    std::vector<size_t>* offset) const {
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (output == nullptr || input.size() > kMaxLength) {
    return StatusCode::kInvalidArgument;
  }
  pipeline_->normalizer.Normalize(input, output, offset);
  return StatusCode::kOk;
}

bool SentencePieceLiteProcessor::CanSkipNormalization(
    std::string_view input) const {
  return pipeline_ != nullptr && pipeline_->normalizer.LeavesUnchanged(input);
}

StatusCode SentencePieceLiteProcessor::Encode(std::string_view input,
                                              std::vector<int>* ids) const {
  if (CanSkipNormalization(input)) return EncodeNormalized(input, ids);
  std::string normalized;
  const StatusCode code = Normalize(input, &normalized);
  return code == StatusCode::kOk ? EncodeNormalized(normalized, ids) : code;
}

StatusCode SentencePieceLiteProcessor::EncodeWithSpans(
    std::string_view input, OffsetUnit unit, std::vector<int>* ids,
    std::vector<TokenSpan>* spans) const {
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

StatusCode SentencePieceLiteProcessor::EncodeNormalized(
    std::string_view normalized, std::vector<int>* ids,
    std::vector<std::string_view>* pieces) const {
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (ids == nullptr) return StatusCode::kInvalidArgument;
  ids->clear();
  if (pieces != nullptr) pieces->clear();
  if (normalized.size() > kMaxLength) return StatusCode::kInvalidArgument;
  pipeline_->Encode(normalized, ids, pieces);
  return StatusCode::kOk;
}

StatusCode SentencePieceLiteProcessor::EncodeNormalizedChunk(
    std::string_view normalized_chunk, std::vector<int>* ids,
    std::vector<std::string_view>* pieces) const {
  return EncodeNormalized(normalized_chunk, ids, pieces);
}

StatusCode SentencePieceLiteProcessor::PretokenizeAtSafeBoundaries(
    std::string_view normalized,
    FunctionRef<void(std::string_view)> receiver) const {
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  if (normalized.size() > kMaxLength) return StatusCode::kInvalidArgument;
  pipeline_->ForEachChunk(normalized, receiver);
  return StatusCode::kOk;
}

StatusCode SentencePieceLiteProcessor::PretokenizeAtSafeBoundaries(
    std::string_view normalized, std::vector<std::string_view>* out) const {
  if (out == nullptr) return StatusCode::kInvalidArgument;
  out->clear();
  return PretokenizeAtSafeBoundaries(
      normalized, [out](std::string_view chunk) { out->push_back(chunk); });
}

StatusCode SentencePieceLiteProcessor::Decode(
    Span<const int> ids, std::string* output,
    std::vector<std::string_view>* pieces) const {
  if (output == nullptr) return StatusCode::kInvalidArgument;
  output->clear();
  if (pieces != nullptr) pieces->clear();
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  const Model& model = pipeline_->model;
  const bool known = std::all_of(ids.begin(), ids.end(),
                                 [&](int id) { return model.Has(id); });
  if (!known) return StatusCode::kOutOfRange;

  std::vector<TokenSpan> spans;
  Decoder decoder =
      pipeline_->MakeDecoder(output, pieces == nullptr ? nullptr : &spans);
  for (const int id : ids) decoder.Add(id, model.piece(id));
  decoder.Finish();
  pipeline_->Denormalize(output);
  const bool rewritten = model.denormalizer_spec() != nullptr;
  for (const TokenSpan span : spans) {
    pieces->push_back(rewritten ? std::string_view()
                                : std::string_view(*output).substr(
                                      span.begin, span.end - span.begin));
  }
  return StatusCode::kOk;
}

StatusCode SentencePieceLiteProcessor::DecodePieces(
    Span<const std::string_view> pieces, std::string* output) const {
  if (output == nullptr) return StatusCode::kInvalidArgument;
  output->clear();
  if (pipeline_ == nullptr) return StatusCode::kFailedPrecondition;
  Decoder decoder = pipeline_->MakeDecoder(output, nullptr);
  for (const std::string_view piece : pieces) {
    const int id = pipeline_->model.pieces_trie().Find(piece);
    decoder.Add(id < 0 ? pipeline_->model.unknown_id() : id, piece);
  }
  decoder.Finish();
  pipeline_->Denormalize(output);
  return StatusCode::kOk;
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
  return pipeline_ == nullptr ? 0
                              : static_cast<size_t>(pipeline_->model.size());
}

int SentencePieceLiteProcessor::piece_type(int id) const {
  if (pipeline_ == nullptr || !pipeline_->model.Has(id)) return -1;
  return pipeline_->model.piece_type(id);
}

int SentencePieceLiteProcessor::model_type() const {
  return pipeline_ == nullptr ? -1 : pipeline_->model.type();
}

}  // namespace sentencepiece::lite
