// Step 3, Unigram: the segmentation of the largest sum of scores.

#ifndef SPMLITE_CORE_UNIGRAM_H_
#define SPMLITE_CORE_UNIGRAM_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emitter.h"
#include "model.h"

namespace sentencepiece::lite {

// The work on one text: a Viterbi pass in float32 from its first byte to its
// last. Chunks are given one after another, and at a safe cut only one state is
// open, the score so far; carrying it over makes the passes over the chunks the
// pass over the whole, rounding included. Not for use by two threads at once.
class UnigramEncoder {
 public:
  explicit UnigramEncoder(const Model& model)
      : model_(model), unknown_score_(model.min_score() - kUnknownPenalty) {}

  // Encodes the next chunk of the text.
  void Encode(std::string_view chunk, Emitter* emitter);

 private:
  // kUnkPenalty of the oracle's unigram_model.cc.
  static constexpr float kUnknownPenalty = 10.0f;
  static constexpr uint32_t kUnreached = ~uint32_t{0};

  // The best path that ends at a place: its score and its last piece.
  struct Node {
    float score;
    int32_t id;
    uint32_t begin;
  };

  float PieceScore(int id, size_t size) const;
  void Recenter(uint32_t begin, uint32_t frontier);
  uint32_t Extend(std::string_view chunk, uint32_t begin, size_t character);
  void Offer(uint32_t begin, uint32_t end, int id, float score);
  void EmitBestPath(std::string_view chunk, Emitter* emitter);

  const Model& model_;
  const float unknown_score_;
  float score_ = 0;  // of the text before the chunk
  std::vector<Node> nodes_;
  std::vector<uint32_t> ends_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_UNIGRAM_H_
