#include "unigram.h"

#include <algorithm>

#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// Beyond this a float32 sum loses the digits that decide
// (kScoreResetThreshold of the oracle's unigram_model.cc).
constexpr float kRecenterThreshold = 100000.0f;

}  // namespace

// A user-defined piece is worth more than any other way to spell it. The
// product is formed in double and rounded once, as in the oracle.
float UnigramEncoder::PieceScore(int id, size_t size) const {
  if (model_.piece_type(id) == PieceType_USER_DEFINED) {
    return static_cast<float>(0.1 * (static_cast<int>(size) - 1));
  }
  return model_.score(id);
}

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
    const size_t character = CharacterLength(chunk.substr(begin));
    frontier = std::max(frontier, Extend(chunk, begin, character));
    begin += static_cast<uint32_t>(character);
  }
  score_ = nodes_[chunk.size()].score;
  EmitBestPath(chunk, emitter);
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
uint32_t UnigramEncoder::Extend(std::string_view chunk, uint32_t begin,
                                size_t character) {
  const float score = nodes_[begin].score;
  bool spells_character = false;
  uint32_t farthest = begin;
  model_.pieces_trie().ForEachPrefix(
      chunk.substr(begin), [&](int32_t id, size_t size) {
        if (!model_.IsVisible(id)) return;
        spells_character |= size == character;
        farthest = begin + static_cast<uint32_t>(size);
        Offer(begin, farthest, id, PieceScore(id, size) + score);
      });
  if (!spells_character) {
    const uint32_t end = begin + static_cast<uint32_t>(character);
    Offer(begin, end, model_.unknown_id(), unknown_score_ + score);
    farthest = std::max(farthest, end);
  }
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

void UnigramEncoder::EmitBestPath(std::string_view chunk, Emitter* emitter) {
  ends_.clear();
  for (uint32_t end = static_cast<uint32_t>(chunk.size()); end > 0;
       end = nodes_[end].begin) {
    ends_.push_back(end);
  }
  for (auto end = ends_.rbegin(); end != ends_.rend(); ++end) {
    const Node& node = nodes_[*end];
    emitter->Emit(chunk.substr(node.begin, *end - node.begin), node.id);
  }
}

}  // namespace sentencepiece::lite
