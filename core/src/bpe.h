// Step 3, BPE: neighbouring symbols merge while their concatenation is a piece,
// the piece of the largest score first, ties from the left.

#ifndef SPMLITE_CORE_BPE_H_
#define SPMLITE_CORE_BPE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emitter.h"
#include "model.h"
#include "utf8.h"

namespace sentencepiece::lite {

// The oracle stops there too (kMaxBpeResegmentDepth of its bpe_model.cc).
constexpr int kMaxSplitDepth = 100;

// The work on one text; its buffers serve one chunk after another. Not for use
// by two threads at once.
class BpeEncoder {
 public:
  BpeEncoder(const Model& model, Spaces spaces) : model_(model), spaces_(spaces) {}

  // The same with dropout: a merge that is due is left out with the probability
  // `dropout` (Provilkov et al. 2020, https://arxiv.org/abs/1910.13267).
  BpeEncoder(const Model& model, Spaces spaces, float dropout, const FunctionRef<float()>* uniform)
      : model_(model), spaces_(spaces), dropout_(dropout), uniform_(uniform) {}

  // Encodes a chunk that no piece reaches out of; true when the ids are the same
  // wherever the chunk stands.
  bool Encode(std::string_view chunk, Emitter* emitter) {
    if (uniform_ == nullptr) {
      const int32_t id = model_.pieces_trie().Find(chunk, spaces_);
      if (id != DoubleArray::kNoValue && model_.IsDirectMapping(id)) {
        emitter->Emit(chunk, id);
        return true;
      }
    }
    splits_.clear();
    ReadSymbols(chunk);
    if (dropout_ >= 1) {
      // Every merge is left out.
    } else if (symbols_.size() <= kScanLimit) {
      MergeByScan(chunk);
    } else {
      MergeByHeap(chunk);
    }
    EmitSymbols(chunk, emitter);
    return true;
  }

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
  // Of which left part an UNUSED piece was last seen to consist, as its node in the trie:
  // a space may be spelled as a mark elsewhere, so that sizes differ.
  struct Split {
    int32_t id;
    uint32_t left_node;
    uint32_t order;  // of the time it was seen
    bool operator<(const Split& other) const {
      return id != other.id ? id < other.id : order < other.order;
    }
  };

  void ReadSymbols(std::string_view chunk) {
    symbols_.clear();
    uint32_t begin = 0;
    while (begin < chunk.size()) {
      const uint32_t index = static_cast<uint32_t>(symbols_.size());
      Symbol& symbol = symbols_.emplace_back();
      ReadSymbol(chunk.substr(begin), &symbol);
      symbol.begin = begin;
      symbol.previous = index - 1;  // kNone for the first
      symbol.next = index + 1;
      symbol.merged_id = DoubleArray::kNoValue;
      begin += symbol.size;
    }
    symbols_.back().next = kNone;
  }
  // The longest user-defined piece, which never merges, or else one character.
  void ReadSymbol(std::string_view rest, Symbol* symbol) const {
    const DoubleArray::Match user_defined = model_.user_defined_trie().LongestPrefix(rest, spaces_);
    if (user_defined.length > 0) {
      symbol->size = static_cast<uint32_t>(user_defined.length);
      symbol->node = DoubleArray::kNoNode;
      symbol->id = user_defined.value;
      symbol->frozen = true;
      return;
    }
    const DoubleArray& pieces = model_.pieces_trie();
    symbol->frozen = false;
    symbol->size = static_cast<uint32_t>(CharacterLength(rest));
    symbol->node = pieces.Walk(DoubleArray::kRoot, rest.substr(0, symbol->size), spaces_);
    symbol->id = pieces.Value(symbol->node);
  }
  // Looks up what the symbol and its neighbour would merge into.
  bool FindMerge(std::string_view chunk, uint32_t left) {
    Symbol& symbol = symbols_[left];
    symbol.merged_id = DoubleArray::kNoValue;
    if (symbol.next == kNone || symbol.frozen) return false;
    const Symbol& next = symbols_[symbol.next];
    // Pieces are no longer; a hostile trie may be, and walks would add up.
    if (next.frozen || symbol.size + next.size > DoubleArray::kMaxKeySize) return false;
    const DoubleArray& pieces = model_.pieces_trie();
    const uint32_t node = pieces.Walk(symbol.node, chunk.substr(next.begin, next.size), spaces_);
    const int32_t id = pieces.Value(node);
    if (id == DoubleArray::kNoValue || !model_.IsMergeable(id)) return false;
    symbol.merged_id = id;
    symbol.merged_node = node;
    symbol.merged_rank = model_.merge_rank(id);
    if (model_.piece_type(id) == PieceType_UNUSED) {
      splits_.push_back({id, symbol.node, static_cast<uint32_t>(splits_.size())});
    }
    return true;
  }
  void MergeByScan(std::string_view chunk) {
    for (uint32_t i = 0; i < symbols_.size(); ++i) FindMerge(chunk, i);
    while (true) {
      uint32_t best = kNone;
      for (uint32_t i = 0; i != kNone; i = symbols_[i].next) {
        if (symbols_[i].merged_id != DoubleArray::kNoValue &&
            (best == kNone || symbols_[i].merged_rank > symbols_[best].merged_rank)) {
          best = i;
        }
      }
      if (best == kNone) return;
      if (IsDropped()) {
        symbols_[best].merged_id = DoubleArray::kNoValue;
        continue;
      }
      Merge(best);
      if (symbols_[best].previous != kNone) FindMerge(chunk, symbols_[best].previous);
      FindMerge(chunk, best);
    }
  }
  void MergeByHeap(std::string_view chunk) {
    heap_.clear();
    for (uint32_t i = 0; i < symbols_.size(); ++i) PushCandidate(chunk, i);
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Candidate candidate = heap_.back();
      heap_.pop_back();
      const Symbol& symbol = symbols_[candidate.left];
      if (symbol.size == 0 || symbol.next == kNone ||
          symbol.size + symbols_[symbol.next].size != candidate.size) {
        continue;
      }
      if (IsDropped()) continue;
      Merge(candidate.left);
      if (symbol.previous != kNone) PushCandidate(chunk, symbol.previous);
      PushCandidate(chunk, candidate.left);
    }
  }
  void PushCandidate(std::string_view chunk, uint32_t left) {
    if (!FindMerge(chunk, left)) return;
    const Symbol& symbol = symbols_[left];
    heap_.push_back({symbol.merged_rank, left, symbol.size + symbols_[symbol.next].size});
    std::push_heap(heap_.begin(), heap_.end());
  }
  bool IsDropped() const { return uniform_ != nullptr && (*uniform_)() < dropout_; }
  void Merge(uint32_t left) {
    Symbol& symbol = symbols_[left];
    Symbol& absorbed = symbols_[symbol.next];
    symbol.size += absorbed.size;
    symbol.id = symbol.merged_id;
    symbol.node = symbol.merged_node;
    symbol.next = absorbed.next;
    absorbed.size = 0;
    if (symbol.next != kNone) symbols_[symbol.next].previous = left;
  }
  void EmitSymbols(std::string_view chunk, Emitter* emitter) {
    // The last split that was recorded for a piece is the one that counts. (A heap is
    // there already; std::sort would add 8 KB to the WebAssembly.)
    std::make_heap(splits_.begin(), splits_.end());
    std::sort_heap(splits_.begin(), splits_.end());
    for (uint32_t i = 0; i != kNone; i = symbols_[i].next) {
      const Symbol& symbol = symbols_[i];
      EmitPiece(chunk.substr(symbol.begin, symbol.size), symbol.id, 0, emitter);
    }
  }
  // Takes an UNUSED piece apart again; what is no piece of a text is unknown.
  void EmitPiece(std::string_view piece, int32_t id, int depth, Emitter* emitter) const {
    if (id == DoubleArray::kNoValue) id = model_.unknown_id();
    if (depth > kMaxSplitDepth || id == model_.unknown_id() || model_.IsVisible(id)) {
      emitter->Emit(piece, id);
      return;
    }
    if (!model_.IsMergeable(id)) {
      emitter->Emit(piece, model_.unknown_id());
      return;
    }
    const auto after =
        std::upper_bound(splits_.begin(), splits_.end(), id,
                         [](int32_t wanted, const Split& split) { return wanted < split.id; });
    if (after == splits_.begin() || (after - 1)->id != id) {
      emitter->Emit(piece, model_.unknown_id());
      return;
    }
    const DoubleArray& pieces = model_.pieces_trie();
    uint32_t node = DoubleArray::kRoot;
    size_t size = 0;
    do {
      node = pieces.Step(node, piece[size++], spaces_);
    } while (size < piece.size() && node != (after - 1)->left_node);
    const std::string_view right = piece.substr(size);
    EmitPiece(piece.substr(0, size), pieces.Value(node), depth + 1, emitter);
    EmitPiece(right, pieces.Find(right, spaces_), depth + 1, emitter);
  }

  const Model& model_;
  const Spaces spaces_;
  const float dropout_ = 0;
  const FunctionRef<float()>* const uniform_ = nullptr;
  std::vector<Symbol> symbols_;
  std::vector<Candidate> heap_;
  std::vector<Split> splits_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_BPE_H_
