#include "bpe.h"

#include <algorithm>

#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// The oracle stops there too (kMaxBpeResegmentDepth of its bpe_model.cc).
constexpr int kMaxSplitDepth = 100;

}  // namespace

void BpeEncoder::Encode(std::string_view chunk, Emitter* emitter) {
  if (const int32_t id = model_.pieces_trie().Find(chunk);
      uniform_ == nullptr && id != DoubleArray::kNoValue && model_.IsDirectMapping(id)) {
    emitter->Emit(chunk, id);
    return;
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
}

void BpeEncoder::ReadSymbols(std::string_view chunk) {
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
void BpeEncoder::ReadSymbol(std::string_view rest, Symbol* symbol) const {
  const DoubleArray::Match user_defined = model_.user_defined_trie().LongestPrefix(rest);
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
  symbol->node = pieces.Walk(DoubleArray::kRoot, rest.substr(0, symbol->size));
  symbol->id = pieces.Value(symbol->node);
}

// Looks up what the symbol and its neighbour would merge into.
bool BpeEncoder::FindMerge(std::string_view chunk, uint32_t left) {
  Symbol& symbol = symbols_[left];
  symbol.merged_id = DoubleArray::kNoValue;
  if (symbol.next == kNone || symbol.frozen) return false;
  const Symbol& next = symbols_[symbol.next];
  // Pieces are no longer; a hostile trie may be, and walks would add up.
  if (next.frozen || symbol.size + next.size > DoubleArray::kMaxKeySize) return false;
  const DoubleArray& pieces = model_.pieces_trie();
  const uint32_t node = pieces.Walk(symbol.node, chunk.substr(next.begin, next.size));
  const int32_t id = pieces.Value(node);
  if (id == DoubleArray::kNoValue || !model_.IsMergeable(id)) return false;
  symbol.merged_id = id;
  symbol.merged_node = node;
  symbol.merged_rank = model_.merge_rank(id);
  if (model_.piece_type(id) == PieceType_UNUSED) {
    splits_.push_back({id, symbol.size, static_cast<uint32_t>(splits_.size())});
  }
  return true;
}

void BpeEncoder::Merge(uint32_t left) {
  Symbol& symbol = symbols_[left];
  Symbol& absorbed = symbols_[symbol.next];
  symbol.size += absorbed.size;
  symbol.id = symbol.merged_id;
  symbol.node = symbol.merged_node;
  symbol.next = absorbed.next;
  absorbed.size = 0;
  if (symbol.next != kNone) symbols_[symbol.next].previous = left;
}

void BpeEncoder::MergeByScan(std::string_view chunk) {
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
    if (symbols_[best].previous != kNone) {
      FindMerge(chunk, symbols_[best].previous);
    }
    FindMerge(chunk, best);
  }
}

void BpeEncoder::PushCandidate(std::string_view chunk, uint32_t left) {
  if (!FindMerge(chunk, left)) return;
  const Symbol& symbol = symbols_[left];
  heap_.push_back({symbol.merged_rank, left, symbol.size + symbols_[symbol.next].size});
}

void BpeEncoder::MergeByHeap(std::string_view chunk) {
  heap_.clear();
  for (uint32_t i = 0; i < symbols_.size(); ++i) PushCandidate(chunk, i);
  std::make_heap(heap_.begin(), heap_.end());
  const auto push = [&](uint32_t left) {
    const size_t size = heap_.size();
    PushCandidate(chunk, left);
    if (heap_.size() > size) std::push_heap(heap_.begin(), heap_.end());
  };
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
    if (symbol.previous != kNone) push(symbol.previous);
    push(candidate.left);
  }
}

void BpeEncoder::EmitSymbols(std::string_view chunk, Emitter* emitter) {
  // The last split that was recorded for a piece is the one that counts.
  std::sort(splits_.begin(), splits_.end());
  for (uint32_t i = 0; i != kNone; i = symbols_[i].next) {
    const Symbol& symbol = symbols_[i];
    EmitPiece(chunk.substr(symbol.begin, symbol.size), symbol.id, 0, emitter);
  }
}

// Takes an UNUSED piece apart again; what is no piece of a text is unknown.
void BpeEncoder::EmitPiece(std::string_view piece, int32_t id, int depth, Emitter* emitter) const {
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
  const std::string_view left = piece.substr(0, (after - 1)->left_size);
  const std::string_view right = piece.substr(left.size());
  EmitPiece(left, pieces.Find(left), depth + 1, emitter);
  EmitPiece(right, pieces.Find(right), depth + 1, emitter);
}

}  // namespace sentencepiece::lite
