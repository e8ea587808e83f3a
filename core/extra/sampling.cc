// Segmentations drawn at random.

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bpe.h"
#include "emitter.h"
#include "lattice.h"
#include "pipeline.h"
#include "sentencepiece_extra.h"
#include "unigram.h"
#include "weight.h"

namespace sentencepiece::lite {
namespace {

// Draws a segmentation with a probability in proportion to P(segmentation)^alpha:
// forward filtering, backward sampling (Kudo 2018,
// https://arxiv.org/abs/1804.10959).
class UnigramSampler {
 public:
  UnigramSampler(const Model& model, float alpha, FunctionRef<float()> uniform)
      : model_(model), alpha_(alpha), uniform_(uniform) {}

  void Sample(std::string_view chunk, Emitter* emitter) {
    AddEdges(chunk);
    path_.clear();
    for (uint32_t end = static_cast<uint32_t>(chunk.size()); end > 0;) {
      path_.push_back({edges_[DrawEdge(end)], end});
      end = path_.back().edge.begin;
    }
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
      const Edge& edge = step->edge;
      emitter->Emit(chunk.substr(edge.begin, step->end - edge.begin), edge.id);
    }
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // A piece at a place, and the one before it in the list of those that end there.
  struct Edge {
    uint32_t begin;
    int32_t id;
    Weight all;  // of all ways to its end that it is the last step of
    uint32_t other;
  };
  struct Step {
    Edge edge;
    uint32_t end;
  };

  void AddEdges(std::string_view chunk) {
    edges_.clear();
    last_edge_.assign(chunk.size() + 1, kNone);
    forward_.assign(chunk.size() + 1, Weight::Exp(0));
    for (uint32_t begin = 0; begin < chunk.size();) {
      const std::string_view rest = chunk.substr(begin);
      ForEachUnigramPiece(model_, rest, Spaces::kLiteral, [&](int id, size_t size) {
        AddEdge(begin, begin + static_cast<uint32_t>(size), id);
      });
      begin += static_cast<uint32_t>(CharacterLength(rest));
    }
  }

  void AddEdge(uint32_t begin, uint32_t end, int id) {
    const double power = static_cast<double>(alpha_) * LatticeScore(model_, id);
    const Weight all = forward_[begin] * Weight::Exp(power);
    const uint32_t other = last_edge_[end];
    forward_[end] = other == kNone ? all : forward_[end] + all;
    last_edge_[end] = static_cast<uint32_t>(edges_.size());
    edges_.push_back({begin, id, all, other});
  }
  // One of the edges that end at `end`, with the probability of all ways through it.
  uint32_t DrawEdge(uint32_t end) const {
    double left = uniform_();
    uint32_t drawn = last_edge_[end];
    for (uint32_t i = drawn; i != kNone && left >= 0; i = edges_[i].other) {
      drawn = i;
      left -= edges_[i].all.In(forward_[end]);
    }
    return drawn;
  }

  const Model& model_;
  const float alpha_;
  const FunctionRef<float()> uniform_;
  std::vector<Edge> edges_;
  std::vector<Step> path_;
  std::vector<uint32_t> last_edge_;  // by the place where it ends
  std::vector<Weight> forward_;      // the sum over all ways to get there
};

}  // namespace

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
  Emitter emitter(pipeline_->model, Spaces::kLiteral, ids, pieces);
  BpeEncoder bpe(pipeline_->model, Spaces::kLiteral);
  UnigramSampler unigram(pipeline_->model, alpha, uniform_sampler);
  // Every segmentation of a text goes through every safe cut, so chunks are drawn
  // one by one.
  pipeline_->ForEachChunk(normalized, [&](std::string_view chunk) {
    emitter.ReserveChunk(chunk.size());
    if (type == ModelType_BPE) {
      // Provilkov et al. 2020, https://arxiv.org/abs/1910.13267
      bpe.EncodeWithDropout(chunk, &emitter, [&] { return uniform_sampler() < alpha; });
    } else {
      unigram.Sample(chunk, &emitter);
    }
  });
  return StatusCode::kOk;
}

uint64_t DrawSeed(UniformSampler* sampler) {
  uint64_t seed = 0;
  // A number of the sampler has 24 bits.
  for (int i = 0; i < 3; ++i) seed = seed << 24 ^ static_cast<uint64_t>((*sampler)() * 0x1p24f);
  return seed;
}

StatusCode SampleEncodeNormalized(const SentencePieceLiteProcessor& processor,
                                  std::string_view normalized, int nbest_size, float alpha,
                                  uint64_t seed, Segmentation* segmentation) {
  if (segmentation == nullptr || nbest_size > kMaxNBestSize || !(alpha >= 0) ||
      !std::isfinite(alpha)) {
    return StatusCode::kInvalidArgument;
  }
  UniformSampler sampler(seed);
  if (processor.model_type() != ModelType_UNIGRAM || nbest_size < 0) {
    return processor.SampleNormalized(normalized, alpha, sampler, &segmentation->ids,
                                      &segmentation->pieces);
  }
  return SampleNBestNormalized(processor, normalized, nbest_size < 1 ? 1 : nbest_size, alpha,
                               sampler, segmentation);
}

}  // namespace sentencepiece::lite
