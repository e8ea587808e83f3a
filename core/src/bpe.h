// Step 3, BPE: neighbouring symbols merge while their concatenation is a piece,
// the piece of the largest score first, ties from the left.

#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emitter.h"
#include "model.h"
#include "sentencepiece_lite.h"
#include "utf8.h"

namespace sentencepiece::lite {

// The oracle stops there too (kMaxBpeResegmentDepth of its bpe_model.cc).
constexpr int kMaxSplitDepth = 100;

// The work on one text; its buffers serve one chunk after another. Not for use
// by two threads at once.
class BpeEncoder {
 public:
  BpeEncoder(const Model& model, Spaces spaces) : model_(model), spaces_(spaces) {}

  // Encodes a chunk that no piece reaches out of; true when the ids are the same
  // wherever the chunk stands.
  bool Encode(std::string_view chunk, Emitter* emitter) {
    const int32_t id = model_.pieces_trie().Find(chunk, spaces_);
    if (id != DoubleArray::kNoValue && model_.IsDirectMapping(id)) {
      emitter->Emit(chunk, id);
      return true;
    }
    ReadSymbols(chunk);
    if (symbols_.size() <= kMostOfTable && !model_.has_unused()) {
      MergeByTable(chunk);
    } else {
      MergeByHeap(chunk, [] { return false; });
    }
    EmitSymbols(chunk, emitter);
    return true;
  }

  // The same, merge by merge, without those that is_dropped(), asked for each that is due,
  // leaves out.
  void EncodeWithDropout(std::string_view chunk, Emitter* emitter, FunctionRef<bool()> is_dropped) {
    ReadSymbols(chunk);
    MergeByHeap(chunk, is_dropped);
    EmitSymbols(chunk, emitter);
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  // A bit a symbol, and one for the end.
  static constexpr size_t kMostOfTable = 63;

  struct Symbol {
    uint32_t begin;     // in the chunk
    uint32_t size;      // in bytes; 0 once merged into the symbol on its left
    uint32_t previous;  // kNone before the first
    uint32_t next;      // as many as there are after the last
    uint32_t node;      // of its text in the trie of pieces
    int32_t id;         // what it is as a piece, or kNoValue
    bool frozen;        // user-defined: never merges
  };
  // A merge that may be due; it is stale once either of the two has changed.
  struct Candidate {
    int32_t rank;
    uint32_t left;
    uint32_t size;
    uint32_t node;
    int32_t id;
    bool operator<(const Candidate& other) const {
      return rank != other.rank ? rank < other.rank : left > other.left;
    }
  };
  // Of which left part an UNUSED piece was last seen to consist, as its node in the trie:
  // a space may be spelled as a mark elsewhere, so that sizes differ.
  struct Split {
    int32_t id;
    uint32_t order;  // of the time it was seen
    uint32_t left_node;
    auto operator<=>(const Split&) const = default;
  };

  // The longest user-defined pieces, which never merge, or else characters.
  void ReadSymbols(std::string_view chunk) {
    const DoubleArray& pieces = model_.pieces_trie();
    symbols_.clear();
    splits_.clear();
    for (uint32_t begin = 0; begin < chunk.size(); begin += symbols_.back().size) {
      const std::string_view rest = chunk.substr(begin);
      const uint32_t index = static_cast<uint32_t>(symbols_.size());
      const DoubleArray::Match whole = model_.user_defined_trie().LongestPrefix(rest, spaces_);
      const bool frozen = whole.length > 0;
      const size_t size = frozen ? whole.length : CharacterLength(rest);
      const uint32_t node = frozen ? DoubleArray::kNoNode
                                   : pieces.Walk(DoubleArray::kRoot, rest.substr(0, size), spaces_);
      symbols_.push_back({begin, static_cast<uint32_t>(size), index - 1, index + 1, node,
                          frozen ? whole.value : pieces.Value(node), frozen});
    }
  }

  // By a table of all pieces in the chunk. Symbols are bits: those of `live` are left.
  void MergeByTable(std::string_view chunk) {
    const size_t count = symbols_.size();
    uint64_t live = ~uint64_t{0} >> (kMostOfTable - count);
    const auto next = [&](size_t symbol) {
      return static_cast<size_t>(std::countr_zero(live & ~(2 * Bit(symbol) - 1)));
    };
    uint64_t due = 0;  // which may merge with their next ones
    const auto offer = [&](size_t left) {
      due &= ~Bit(left);
      const size_t middle = next(left);
      if (middle == count) return;
      const size_t more = next(middle) - left - 1;
      if ((lengths_[left] & Bit(more)) == 0) return;
      due |= Bit(left);
      ranks_[left] = model_.merge_rank(ids_[left][more]);
    };
    for (size_t begin = 0; begin < count; ++begin) FindPieces(chunk, begin);
    for (size_t left = 0; left < count; ++left) offer(left);
    while (due != 0) {
      size_t best = static_cast<size_t>(std::countr_zero(due));
      for (uint64_t rest = due & (due - 1); rest != 0; rest &= rest - 1) {
        const size_t left = static_cast<size_t>(std::countr_zero(rest));
        if (ranks_[left] > ranks_[best]) best = left;
      }
      const size_t absorbed = next(best);
      live &= ~Bit(absorbed);
      due &= ~Bit(absorbed);
      const size_t end = next(best);
      symbols_[best].id = ids_[best][end - best - 1];
      symbols_[best].next = static_cast<uint32_t>(end);
      symbols_[best].size =
          (end == count ? static_cast<uint32_t>(chunk.size()) : symbols_[end].begin) -
          symbols_[best].begin;
      offer(best);
      if (best > 0) offer(static_cast<size_t>(63 - std::countl_zero(live & (Bit(best) - 1))));
    }
  }
  static uint64_t Bit(size_t index) { return uint64_t{1} << index; }
  // The pieces that begin with a symbol and have more, by how many more.
  void FindPieces(std::string_view chunk, size_t begin) {
    lengths_[begin] = 0;
    uint32_t node = symbols_[begin].node;
    for (size_t last = begin + 1; last < symbols_.size(); ++last) {
      const Symbol& symbol = symbols_[last];
      if (node == DoubleArray::kNoNode || symbol.frozen) return;
      const DoubleArray& pieces = model_.pieces_trie();
      node = pieces.Walk(node, chunk.substr(symbol.begin, symbol.size), spaces_);
      const int32_t id = pieces.Value(node);
      if (id == DoubleArray::kNoValue || !model_.IsMergeable(id)) continue;
      ids_[begin][last - begin] = id;
      lengths_[begin] |= Bit(last - begin);
    }
  }

  void MergeByHeap(std::string_view chunk, FunctionRef<bool()> is_dropped) {
    heap_.clear();
    for (uint32_t i = 0; i < symbols_.size(); ++i) PushCandidate(chunk, i);
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Candidate best = heap_.back();
      heap_.pop_back();
      Symbol& symbol = symbols_[best.left];
      if (symbol.size == 0 || symbol.next == symbols_.size() ||
          symbol.size + symbols_[symbol.next].size != best.size || is_dropped()) {
        continue;
      }
      symbols_[symbol.next].size = 0;
      symbol = {symbol.begin, best.size, symbol.previous, symbols_[symbol.next].next, best.node,
                best.id,      false};
      if (symbol.next != symbols_.size()) symbols_[symbol.next].previous = best.left;
      if (symbol.previous != kNone) PushCandidate(chunk, symbol.previous);
      PushCandidate(chunk, best.left);
    }
  }
  // Pushes what the symbol and its neighbour would merge into.
  void PushCandidate(std::string_view chunk, uint32_t left) {
    const Symbol& symbol = symbols_[left];
    if (symbol.next == symbols_.size() || symbol.node == DoubleArray::kNoNode) return;
    const Symbol& next = symbols_[symbol.next];
    // Pieces are no longer; a hostile trie may be, and walks would add up.
    const uint32_t size = symbol.size + next.size;
    if (next.frozen || size > DoubleArray::kMaxKeySize) return;
    const DoubleArray& pieces = model_.pieces_trie();
    const uint32_t node = pieces.Walk(symbol.node, chunk.substr(next.begin, next.size), spaces_);
    const int32_t id = pieces.Value(node);
    if (id == DoubleArray::kNoValue || !model_.IsMergeable(id)) return;
    if (model_.piece_type(id) == PieceType_UNUSED) {
      splits_.push_back({id, static_cast<uint32_t>(splits_.size()), symbol.node});
    }
    heap_.push_back({model_.merge_rank(id), left, size, node, id});
    std::push_heap(heap_.begin(), heap_.end());
  }

  void EmitSymbols(std::string_view chunk, Emitter* emitter) {
    // The last split that was recorded for a piece is the one that counts. (A heap is
    // there already; std::sort would add 8 KB to the WebAssembly.)
    std::make_heap(splits_.begin(), splits_.end());
    std::sort_heap(splits_.begin(), splits_.end());
    for (uint32_t i = 0; i < symbols_.size(); i = symbols_[i].next) {
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
    constexpr uint32_t kLast = ~uint32_t{0};
    const auto after = std::upper_bound(splits_.begin(), splits_.end(), Split{id, kLast, kLast});
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
  std::vector<Symbol> symbols_;
  std::vector<Candidate> heap_;
  std::vector<Split> splits_;
  uint64_t lengths_[kMostOfTable];  // bit i: with i more symbols it is a piece, of the id
  int32_t ids_[kMostOfTable][kMostOfTable];
  int32_t ranks_[kMostOfTable];  // of the merges that are due
};

}  // namespace sentencepiece::lite
