// Step 3, Unigram: the segmentation of the largest sum of scores.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "emitter.h"
#include "model.h"
#include "utf8.h"

namespace sentencepiece::lite {

// Beyond this a float32 sum loses the digits that decide
// (kScoreResetThreshold of the oracle's unigram_model.cc).
constexpr float kRecenterThreshold = 100000.0f;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// Calls visit(id, size) for each piece that can lead `rest`, shortest first; a
// first character that is no piece comes last, as unknown.
template <typename Visit>
void ForEachUnigramPiece(const Model& model, std::string_view rest, Spaces spaces, Visit&& visit) {
  const size_t character = CharacterLength(rest);
  bool spells_character = false;
  model.pieces_trie().ForEachPrefix(rest, spaces, [&](int32_t id, size_t size) {
    if (!model.IsVisible(id)) return;
    spells_character |= size == character;
    visit(id, size);
  });
  if (!spells_character) visit(model.unknown_id(), character);
}

// The work on one text: a Viterbi pass in float32 from its first byte to its
// last. Chunks are given one after another, and at a safe cut only one state is
// open, the score so far; carrying it over makes the passes over the chunks the
// pass over the whole, rounding included. Not for use by two threads at once.
//
// With a cache, chunks are skipped, and the score is not known at the next one.
// Most chunks come out the same after any score, and are told by their margin, the
// least lead of the best path over the next best at a place it goes through. From
// a score B, a place of a chunk of n bytes is reached by at most n additions of
// numbers of at most M = |B| + n * largest_score, so its score is off by at most
// n * M * 2^-24, and a comparison of two of them by twice that; scores that are
// recentred on the way are rounded once more. |B| is at most the threshold of
// recentring, and the margin itself was found from B = 0. So a margin of more than
// (n + 2) * (threshold + 2 * n * largest_score) * 2^-23 settles a chunk. For the
// others the score is caught up with, piece by piece, in the same float32 sums.
class UnigramEncoder {
 public:
  // `text` is where the text begins. `skips`: chunks may be left out, when their
  // ids are appended to the emitter's otherwise.
  UnigramEncoder(const Model& model, Spaces spaces, const char* text, bool skips)
      : model_(model), spaces_(spaces), skips_(skips), known_text_(text) {}

  // Encodes the next chunk of the text; true when it is settled.
  bool Encode(std::string_view chunk, Emitter* emitter) {
    if (skips_) {
      FindBestPath(chunk, 0);
      if (IsSettled(chunk)) {
        EmitPath(chunk, emitter);
        return true;
      }
      CatchUp(chunk.data(), *emitter);
    }
    FindBestPath(chunk, score_);
    EmitPath(chunk, emitter);
    score_ = nodes_[chunk.size()].score;
    known_text_ = chunk.data() + chunk.size();
    known_ids_ = emitter->size();
    return false;
  }

  // To be called at safe cuts now and then, so that where the score may be recentred few
  // bytes lie between two that are known.
  void Pass(const char* cut, const Emitter& emitter) {
    const float size = static_cast<float>(cut - known_text_);
    if (std::abs(score_) + size * model_.largest_score() > SafeScore()) CatchUp(cut, emitter);
  }

 private:
  static constexpr uint32_t kUnreached = ~uint32_t{0};
  // Longer chunks count as not settled, so that few bytes lie between two scores.
  static constexpr size_t kMaxSettled = 64;

  // The best path that ends at a place: its score, that of the next best one, and
  // its last piece.
  struct Node {
    float score;
    float second;
    int32_t id;
    uint32_t begin;
  };

  void FindBestPath(std::string_view chunk, float score) {
    nodes_.assign(chunk.size() + 1, {0, kNothing, DoubleArray::kNoValue, kUnreached});
    nodes_[0].score = score;
    uint32_t begin = 0;
    uint32_t frontier = 0;
    while (begin < chunk.size()) {
      if (std::abs(nodes_[begin].score) > kRecenterThreshold) Recenter(begin, frontier);
      frontier = std::max(frontier, Extend(chunk, begin));
      begin += static_cast<uint32_t>(CharacterLength(chunk.substr(begin)));
    }
  }
  // See the class. An unknown piece does not show in the ids what it adds.
  bool IsSettled(std::string_view chunk) const {
    if (chunk.size() > kMaxSettled) return false;
    const float size = static_cast<float>(chunk.size());
    const float margin =
        (size + 2) * (kRecenterThreshold + 2 * size * model_.largest_score()) * 0x1p-23f;
    for (size_t end = chunk.size(); end > 0; end = nodes_[end].begin) {
      const Node& node = nodes_[end];
      if (node.id == model_.unknown_id() || !(node.score - node.second > margin)) return false;
    }
    return true;
  }
  // From a score that is less, no place of a settled chunk is recentred.
  float SafeScore() const {
    return kRecenterThreshold - static_cast<float>(kMaxSettled) * model_.largest_score();
  }
  // Where a place of the text could have been recentred, the ids do not tell, and the
  // pass is made again.
  void CatchUp(const char* until, const Emitter& emitter) {
    float score = score_;
    bool tells = std::abs(score) < SafeScore();
    for (size_t i = known_ids_; i < emitter.size() && tells; ++i) {
      score += model_.UnigramScore(emitter.ids()[i]);
      tells = std::abs(score) < SafeScore();
    }
    if (!tells) {
      const std::string_view skipped(known_text_, static_cast<size_t>(until - known_text_));
      FindBestPath(skipped, score_);
      score = nodes_[skipped.size()].score;
    }
    score_ = score;
    known_text_ = until;
    known_ids_ = emitter.size();
  }
  void Recenter(uint32_t begin, uint32_t frontier) {
    const float offset = nodes_[begin].score;
    nodes_[begin].score = 0;  // of an infinite score too, as the oracle has it
    nodes_[begin].second -= offset;
    for (uint32_t i = begin + 1; i <= frontier; ++i) {
      if (nodes_[i].begin == kUnreached) continue;
      nodes_[i].score -= offset;
      nodes_[i].second -= offset;
    }
  }
  // Offers every piece that begins here to the place where it ends; returns the
  // farthest of those.
  uint32_t Extend(std::string_view chunk, uint32_t begin) {
    const float score = nodes_[begin].score;
    uint32_t farthest = begin;
    ForEachUnigramPiece(model_, chunk.substr(begin), spaces_, [&](int id, size_t size) {
      const uint32_t end = begin + static_cast<uint32_t>(size);
      farthest = std::max(farthest, end);
      Offer(begin, end, id, model_.UnigramScore(id) + score);
    });
    return farthest;
  }
  // Only a greater score replaces: beginnings ascend, so the longest last piece
  // of a tie stays.
  void Offer(uint32_t begin, uint32_t end, int id, float score) {
    Node& node = nodes_[end];
    if (node.begin == kUnreached || score > node.score) {
      node = {score, node.begin == kUnreached ? kNothing : node.score, id, begin};
    } else {
      node.second = std::max(node.second, score);
    }
  }
  void EmitPath(std::string_view chunk, Emitter* emitter) {
    ends_.clear();
    for (uint32_t end = static_cast<uint32_t>(chunk.size()); end > 0; end = nodes_[end].begin) {
      ends_.push_back(end);
    }
    for (auto end = ends_.rbegin(); end != ends_.rend(); ++end) {
      const Node& node = nodes_[*end];
      emitter->Emit(chunk.substr(node.begin, *end - node.begin), node.id);
    }
  }

  const Model& model_;
  const Spaces spaces_;
  const bool skips_;
  // The score of the text before `known_text_`, whose ids are the first `known_ids_`.
  float score_ = 0;
  const char* known_text_;
  size_t known_ids_ = 0;
  std::vector<Node> nodes_;
  std::vector<uint32_t> ends_;
};

}  // namespace sentencepiece::lite
