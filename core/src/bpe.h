// Step 3, BPE: neighbouring symbols merge while their concatenation is a piece,
// the piece of the largest score first, ties from the left.

#ifndef SPMLITE_CORE_BPE_H_
#define SPMLITE_CORE_BPE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emitter.h"
#include "model.h"

namespace sentencepiece::lite {

// The work on one text; its buffers serve one chunk after another. Not for use
// by two threads at once.
class BpeEncoder {
 public:
  explicit BpeEncoder(const Model& model) : model_(model) {}

  // The same with dropout: a merge that is due is left out with the probability
  // `dropout` (Provilkov et al. 2020, https://arxiv.org/abs/1910.13267).
  BpeEncoder(const Model& model, float dropout, const FunctionRef<float()>* uniform)
      : model_(model), dropout_(dropout), uniform_(uniform) {}

  // Encodes a chunk that no piece reaches out of.
  void Encode(std::string_view chunk, Emitter* emitter);

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  // Up to here a scan over all pairs beats a heap.
  static constexpr size_t kScanLimit = 48;

  struct Symbol {
    uint32_t begin;  // in the chunk
    uint32_t size;   // in bytes; 0 once merged into the symbol on its left
    uint32_t node;   // of its text in the trie of pieces
    uint32_t previous;
    uint32_t next;
    int32_t id;   // what it is as a piece, or kNoValue
    bool frozen;  // user-defined: never merges
    // What it and `next` would merge into, or kNoValue.
    int32_t merged_id;
    uint32_t merged_node;
    int32_t merged_rank;
  };
  // A merge that may be due; it is stale once either of the two has changed.
  struct Candidate {
    int32_t rank;
    uint32_t left;
    uint32_t size;
    bool operator<(const Candidate& other) const {
      return rank != other.rank ? rank < other.rank : left > other.left;
    }
  };
  // Of which left part an UNUSED piece was last seen to consist.
  struct Split {
    int32_t id;
    uint32_t left_size;
    uint32_t order;  // of the time it was seen
    bool operator<(const Split& other) const {
      return id != other.id ? id < other.id : order < other.order;
    }
  };

  void ReadSymbols(std::string_view chunk);
  void ReadSymbol(std::string_view rest, Symbol* symbol) const;
  bool FindMerge(std::string_view chunk, uint32_t left);
  void MergeByScan(std::string_view chunk);
  void MergeByHeap(std::string_view chunk);
  void PushCandidate(std::string_view chunk, uint32_t left);
  bool IsDropped() const { return uniform_ != nullptr && (*uniform_)() < dropout_; }
  void Merge(uint32_t left);
  void EmitSymbols(std::string_view chunk, Emitter* emitter);
  void EmitPiece(std::string_view piece, int32_t id, int depth, Emitter* emitter) const;

  const Model& model_;
  const float dropout_ = 0;
  const FunctionRef<float()>* const uniform_ = nullptr;
  std::vector<Symbol> symbols_;
  std::vector<Candidate> heap_;
  std::vector<Split> splits_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_BPE_H_
