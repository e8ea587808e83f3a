// Step 3, Unigram: the segmentation of the largest sum of scores.

#ifndef SPMLITE_CORE_UNIGRAM_H_
#define SPMLITE_CORE_UNIGRAM_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emitter.h"
#include "model.h"
#include "utf8.h"

namespace sentencepiece::lite {

// Calls visit(id, size) for each piece that can lead `rest`, shortest first; a
// first character that is no piece comes last, as unknown.
template <typename Visit>
void ForEachUnigramPiece(const Model& model, std::string_view rest, Visit&& visit) {
  const size_t character = CharacterLength(rest);
  bool spells_character = false;
  model.pieces_trie().ForEachPrefix(rest, [&](int32_t id, size_t size) {
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
class UnigramEncoder {
 public:
  explicit UnigramEncoder(const Model& model) : model_(model) {}

  // Encodes the next chunk of the text.
  void Encode(std::string_view chunk, Emitter* emitter);

  // Draws a segmentation of the chunk with a probability in proportion to
  // P(segmentation)^alpha: forward filtering, backward sampling (Kudo 2018,
  // https://arxiv.org/abs/1804.10959). Every segmentation of a text goes through
  // every safe cut, so chunks are drawn one by one.
  void Sample(std::string_view chunk, float alpha, FunctionRef<float()> uniform, Emitter* emitter);

 private:
  static constexpr uint32_t kUnreached = ~uint32_t{0};

  // The best path that ends at a place: its score and its last piece.
  struct Node {
    float score;
    int32_t id;
    uint32_t begin;
  };

  // A piece at a place, and the one before it in the list that end there.
  struct Edge {
    uint32_t begin;
    int32_t id;
    double weight;  // the log of its share, alpha applied
    uint32_t other;
  };

  void AddEdge(uint32_t begin, uint32_t end, int id, double weight);
  uint32_t DrawEdge(uint32_t end, FunctionRef<float()> uniform) const;
  void Recenter(uint32_t begin, uint32_t frontier);
  uint32_t Extend(std::string_view chunk, uint32_t begin);
  void Offer(uint32_t begin, uint32_t end, int id, float score);
  void EmitPath(std::string_view chunk, Emitter* emitter);

  const Model& model_;
  float score_ = 0;  // of the text before the chunk
  std::vector<Node> nodes_;
  std::vector<uint32_t> ends_;
  std::vector<Edge> edges_;
  std::vector<uint32_t> last_edge_;  // by the place where it ends
  std::vector<double> forward_;      // the log of the sum over all ways to get there
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_UNIGRAM_H_
