#include "tokenizer_json_merges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "sentencepiece_lite_generated.h"
#include "tokenizer_json_spaces.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

struct Pair {
  std::string_view left;
  std::string_view right;
};

// "a b", or an array of the two.
bool ReadPair(const Json& merge, Pair* pair) {
  if (merge.Is(Json::Type::kString)) {
    const std::string_view text = merge.text();
    const size_t space = text.find(' ');
    if (space == text.npos || text.find(' ', space + 1) != text.npos) return false;
    *pair = {text.substr(0, space), text.substr(space + 1)};
    return true;
  }
  std::vector<std::string_view> sides;
  for (const Json side : merge) {
    if (!side.Is(Json::Type::kString)) return false;
    sides.push_back(side.text());
  }
  if (!merge.Is(Json::Type::kArray) || sides.size() != 2) return false;
  *pair = {sides[0], sides[1]};
  return true;
}

class Merges {
 public:
  explicit Merges(std::vector<SerializedPiece>* pieces)
      : pieces_(*pieces), merged_(pieces->size()) {
    for (uint32_t id = 0; id < pieces_.size(); ++id) {
      if (pieces_[id].type == PieceType_NORMAL) ids_.emplace(pieces_[id].piece, id);
    }
  }

  std::string Read(const Json& merges) {
    uint32_t index = 0;
    for (const Json merge : merges) {
      Pair pair;
      const std::string name = "model.merges[" + std::to_string(index++) + "]";
      if (!ReadPair(merge, &pair)) return name + " is " + Shown(merge) + " instead of a pair";
      if (!Add(pair)) {
        return name + " makes " + QuotedText(result_) +
               " again, further down: in SentencePiece all pairs that make a piece have its one "
               "score";
      }
    }
    return {};
  }

  // The first split that SentencePiece would join, though no pair does; empty for none.
  std::string FindGap() const {
    for (const auto& [piece, id] : ids_) {
      for (size_t size = CharacterLength(piece); size < piece.size();
           size += CharacterLength(piece.substr(size))) {
        const std::string_view left = piece.substr(0, size);
        const std::string_view right = piece.substr(size);
        if (Joins(id, size) || !ids_.contains(left) || !ids_.contains(right)) continue;
        return "model.merges does not join " + QuotedText(left) + " and " + QuotedText(right) +
               ", though " + QuotedText(piece) +
               " is in model.vocab: SentencePiece would join them";
      }
    }
    return {};
  }

  void Score() {
    for (uint32_t id = 0; id < pieces_.size(); ++id) {
      if (pieces_[id].type != PieceType_NORMAL) continue;
      const uint32_t rank = merged_[id].rank == kNone ? ranks_++ : merged_[id].rank;
      pieces_[id].score = -static_cast<float>(rank);
    }
  }

 private:
  // Of a piece: its place, and its pairs, which follow one another in left_sizes_.
  struct Merged {
    uint32_t rank = kNone;
    uint32_t begin = 0;
    uint32_t end = 0;
  };

  // False where another piece has come between this pair and those of the same result.
  bool Add(const Pair& pair) {
    result_.assign(pair.left).append(pair.right);
    const auto found = ids_.find(result_);
    if (found == ids_.end()) return true;
    Merged& merged = merged_[found->second];
    const auto place = static_cast<uint32_t>(left_sizes_.size());
    if (merged.rank == kNone) {
      merged = {ranks_++, place, place};
    } else if (found->second != last_) {
      return false;
    }
    last_ = found->second;
    left_sizes_.push_back(static_cast<uint16_t>(pair.left.size()));
    merged.end = place + 1;
    return true;
  }

  bool Joins(uint32_t id, size_t left_size) const {
    const auto begin = left_sizes_.begin();
    const Merged& merged = merged_[id];
    return std::find(begin + merged.begin, begin + merged.end, left_size) != begin + merged.end;
  }

  std::vector<SerializedPiece>& pieces_;
  std::unordered_map<std::string_view, uint32_t> ids_;  // of NORMAL pieces
  std::vector<Merged> merged_;                          // by id
  std::vector<uint16_t> left_sizes_;  // of the pairs; a piece has less than 8,000 bytes
  uint32_t ranks_ = 0;
  uint32_t last_ = kNone;  // the piece that the last pair made
  std::string result_;
};

}  // namespace

std::string ScoreByMerges(const Json& merges, std::vector<SerializedPiece>* pieces) {
  if (!merges.Is(Json::Type::kArray)) return "model.merges is missing or no list";
  Merges read(pieces);
  std::string fault = read.Read(merges);
  if (fault.empty()) fault = read.FindGap();
  if (fault.empty()) read.Score();
  return fault;
}

}  // namespace sentencepiece::lite
