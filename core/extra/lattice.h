// All segmentations of a text by a Unigram model, as paths in a lattice.

#ifndef SPMLITE_NBEST_LATTICE_H_
#define SPMLITE_NBEST_LATTICE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model.h"
#include "sentencepiece_lite.h"
#include "utf8.h"

namespace sentencepiece::lite {

// How many characters `text` has, told by the bytes that continue none.
inline size_t CharacterCount(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !IsContinuation(c); }));
}

// What a piece adds to a path among all, where the oracle counts the characters of a
// user-defined piece instead of its bytes.
inline float LatticeScore(const Model& model, int id) {
  const bool is_user_defined =
      id != model.unknown_id() && model.piece_type(id) == PieceType_USER_DEFINED;
  return is_user_defined ? Model::UserDefinedScore(CharacterCount(model.piece(id)))
                         : model.UnigramScore(id);
}

class Lattice {
 public:
  struct Node {
    uint32_t begin;  // in the text
    uint32_t end;
    int32_t id;
    float score;
    float best = 0;         // the score of the best path that ends with it
    uint32_t previous = 0;  // the node before it on that path
  };
  // From left to right; what it leads through are nodes of a piece each.
  struct Path {
    std::vector<Node> nodes;
    float score = 0;
  };

  // `text` must not be empty.
  Lattice(const Model& model, std::string_view text);

  // The `count` best paths, best first, found and ordered as the oracle finds
  // them: A* from the end of the text, led by the exact best score of what is
  // left of a node.
  std::vector<Path> Best(size_t count);

 private:
  class Search;
  // The place before the text and the one after it are nodes as well.
  static constexpr uint32_t kStart = 0;
  uint32_t last() const { return static_cast<uint32_t>(nodes_.size() - 1); }

  void AddNodesAt(const Model& model, std::string_view rest, uint32_t begin);
  void SortByEnd();
  // The nodes that can stand before `node`.
  Span<const uint32_t> Before(const Node& node) const {
    const uint32_t first = first_by_end_[node.begin];
    return Span<const uint32_t>(by_end_).subspan(first, first_by_end_[node.begin + 1] - first);
  }
  void FindBestScores();
  Path BestPath() const;

  std::vector<Node> nodes_;
  std::vector<uint32_t> by_end_;        // all but the last, by where they end
  std::vector<uint32_t> first_by_end_;  // where those of an end begin
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_NBEST_LATTICE_H_
