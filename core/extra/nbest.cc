#include <cmath>
#include <utility>

#include "emitter.h"
#include "lattice.h"
#include "pipeline.h"
#include "sentencepiece_extra.h"
#include "weight.h"

namespace sentencepiece::lite {

StatusCode NBestNormalized(const SentencePieceLiteProcessor& processor, std::string_view normalized,
                           int size, std::vector<Segmentation>* segmentations) {
  if (segmentations == nullptr) return StatusCode::kInvalidArgument;
  segmentations->clear();
  if (processor.status() != StatusCode::kOk) return StatusCode::kFailedPrecondition;
  if (processor.model_type() != ModelType_UNIGRAM || size < 1 || size > kMaxNBestSize) {
    return StatusCode::kInvalidArgument;
  }
  if (size == 1 || normalized.empty()) {
    Segmentation& best = segmentations->emplace_back();
    return processor.EncodeNormalized(normalized, &best.ids, &best.pieces);
  }
  const Model& model = processor.pipeline()->model;
  for (const Lattice::Path& path : Lattice(model, normalized).Best(static_cast<size_t>(size))) {
    Segmentation& next = segmentations->emplace_back();
    next.score = path.score;
    Emitter emitter(model, Spaces::kLiteral, &next.ids, &next.pieces);
    emitter.ReserveChunk(normalized.size());
    for (const Lattice::Node& node : path.nodes) {
      emitter.Emit(normalized.substr(node.begin, node.end - node.begin), node.id);
    }
  }
  return StatusCode::kOk;
}

StatusCode SampleNBestNormalized(const SentencePieceLiteProcessor& processor,
                                 std::string_view normalized, int size, float alpha,
                                 FunctionRef<float()> uniform_sampler, Segmentation* segmentation) {
  if (segmentation == nullptr || !(alpha >= 0) || !std::isfinite(alpha)) {
    return StatusCode::kInvalidArgument;
  }
  std::vector<Segmentation> best;
  const StatusCode code = NBestNormalized(processor, normalized, size, &best);
  if (code != StatusCode::kOk) return code;
  std::vector<Weight> weights;
  for (const Segmentation& one : best) {
    weights.push_back(Weight::Exp(static_cast<double>(alpha) * one.score));
  }
  Weight sum = weights.front();
  for (size_t i = 1; i < weights.size(); ++i) sum = sum + weights[i];
  double left = uniform_sampler();
  size_t drawn = 0;
  while (drawn + 1 < best.size() && (left -= weights[drawn].In(sum)) >= 0) ++drawn;
  *segmentation = std::move(best[drawn]);
  return StatusCode::kOk;
}

}  // namespace sentencepiece::lite
