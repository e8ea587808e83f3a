#include "unigram.h"

#include <algorithm>
#include <cmath>

namespace sentencepiece::lite {
namespace {

// Beyond this a float32 sum loses the digits that decide
// (kScoreResetThreshold of the oracle's unigram_model.cc).
constexpr float kRecenterThreshold = 100000.0f;

}  // namespace

void UnigramEncoder::Encode(std::string_view chunk, Emitter* emitter) {
  nodes_.assign(chunk.size() + 1, {0, DoubleArray::kNoValue, kUnreached});
  nodes_[0].score = score_;
  uint32_t begin = 0;
  uint32_t frontier = 0;
  while (begin < chunk.size()) {
    const float score = nodes_[begin].score;
    if (score < -kRecenterThreshold || score > kRecenterThreshold) {
      Recenter(begin, frontier);
    }
    frontier = std::max(frontier, Extend(chunk, begin));
    begin += static_cast<uint32_t>(CharacterLength(chunk.substr(begin)));
  }
  score_ = nodes_[chunk.size()].score;
  EmitPath(chunk, emitter);
}

void UnigramEncoder::Recenter(uint32_t begin, uint32_t frontier) {
  const float offset = nodes_[begin].score;
  nodes_[begin].score -= offset;
  for (uint32_t i = begin + 1; i <= frontier; ++i) {
    if (nodes_[i].begin != kUnreached) nodes_[i].score -= offset;
  }
}

// Offers every piece that begins here to the place where it ends; returns the
// farthest of those.
uint32_t UnigramEncoder::Extend(std::string_view chunk, uint32_t begin) {
  const float score = nodes_[begin].score;
  uint32_t farthest = begin;
  ForEachUnigramPiece(model_, chunk.substr(begin), [&](int id, size_t size) {
    const uint32_t end = begin + static_cast<uint32_t>(size);
    farthest = std::max(farthest, end);
    Offer(begin, end, id, model_.UnigramScore(id, size) + score);
  });
  return farthest;
}

// Only a greater score replaces: beginnings ascend, so the longest last piece
// of a tie stays.
void UnigramEncoder::Offer(uint32_t begin, uint32_t end, int id, float score) {
  Node& node = nodes_[end];
  if (node.begin == kUnreached || score > node.score) {
    node = {score, id, begin};
  }
}

void UnigramEncoder::EmitPath(std::string_view chunk, Emitter* emitter) {
  ends_.clear();
  for (uint32_t end = static_cast<uint32_t>(chunk.size()); end > 0; end = nodes_[end].begin) {
    ends_.push_back(end);
  }
  for (auto end = ends_.rbegin(); end != ends_.rend(); ++end) {
    const Node& node = nodes_[*end];
    emitter->Emit(chunk.substr(node.begin, *end - node.begin), node.id);
  }
}

void UnigramEncoder::Sample(std::string_view chunk, float alpha, FunctionRef<float()> uniform,
                            Emitter* emitter) {
  edges_.clear();
  last_edge_.assign(chunk.size() + 1, kUnreached);
  forward_.assign(chunk.size() + 1, 0);
  for (uint32_t begin = 0; begin < chunk.size();) {
    const std::string_view rest = chunk.substr(begin);
    ForEachUnigramPiece(model_, rest, [&](int id, size_t size) {
      const float score = model_.UnigramScore(id, CharacterCount(rest.substr(0, size)));
      AddEdge(begin, begin + static_cast<uint32_t>(size), id, alpha * score);
    });
    begin += static_cast<uint32_t>(CharacterLength(rest));
  }
  nodes_.resize(chunk.size() + 1);
  for (uint32_t end = static_cast<uint32_t>(chunk.size()); end > 0;) {
    const Edge& edge = edges_[DrawEdge(end, uniform)];
    nodes_[end] = {0, edge.id, edge.begin};
    end = edge.begin;
  }
  EmitPath(chunk, emitter);
}

void UnigramEncoder::AddEdge(uint32_t begin, uint32_t end, int id, double weight) {
  const double way = forward_[begin] + weight;
  const double high = std::max(forward_[end], way);
  const double low = std::min(forward_[end], way);
  const bool first = last_edge_[end] == kUnreached;
  forward_[end] = first ? way : high + std::log1p(std::exp(low - high));
  edges_.push_back({begin, id, weight, last_edge_[end]});
  last_edge_[end] = static_cast<uint32_t>(edges_.size() - 1);
}

// One of the edges that end at `end`, with the probability of all ways through it.
uint32_t UnigramEncoder::DrawEdge(uint32_t end, FunctionRef<float()> uniform) const {
  double left = uniform();
  uint32_t drawn = last_edge_[end];
  for (uint32_t i = drawn; i != kUnreached && left >= 0; i = edges_[i].other) {
    drawn = i;
    left -= std::exp(forward_[edges_[i].begin] + edges_[i].weight - forward_[end]);
  }
  return drawn;
}

}  // namespace sentencepiece::lite
