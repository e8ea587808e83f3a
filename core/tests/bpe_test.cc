// Section 3 of what a model means: BPE.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "random_text.h"
#include "tiny_model.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

TinyModel Bpe(std::vector<TinyPiece> pieces) {
  return PlainModel(ModelType_BPE, std::move(pieces));
}

// BPE as it is defined, with no thought of speed: merge the best pair of
// neighbours until none is left, then take UNUSED pieces apart.
class PlainBpe {
 public:
  explicit PlainBpe(const TinyModel& model) {
    for (size_t id = 0; id < model.pieces.size(); ++id) {
      longest_ = std::max(longest_, model.pieces[id].piece.size());
      pieces_[model.pieces[id].piece] = {model.pieces[id], static_cast<int>(id)};
    }
  }

  std::vector<int> Encode(std::string_view text) {
    splits_.clear();
    ids_.clear();
    ReadSymbols(text);
    for (size_t i = 0; i + 1 < symbols_.size(); ++i) NoteSplit(i);
    while (MergeBest()) {
    }
    for (const auto& [symbol, frozen] : symbols_) Emit(symbol, 0);
    return ids_;
  }

 private:
  struct Entry {
    TinyPiece piece;
    int id = 0;
  };

  const Entry* Find(std::string_view piece, std::vector<PieceType> types) const {
    const auto found = pieces_.find(std::string(piece));
    if (found == pieces_.end()) return nullptr;
    const bool fits = std::count(types.begin(), types.end(), found->second.piece.type) > 0;
    return fits ? &found->second : nullptr;
  }

  void ReadSymbols(std::string_view text) {
    symbols_.clear();
    while (!text.empty()) {
      size_t length = 0;
      for (size_t size = 1; size <= std::min(longest_, text.size()); ++size) {
        if (Find(text.substr(0, size), {PieceType_USER_DEFINED})) length = size;
      }
      const bool frozen = length > 0;
      if (!frozen) length = CharacterLength(text);
      symbols_.emplace_back(text.substr(0, length), frozen);
      text.remove_prefix(length);
    }
  }

  const Entry* Merged(size_t left) const {
    const auto& [symbol, frozen] = symbols_[left];
    const auto& [next, next_frozen] = symbols_[left + 1];
    if (frozen || next_frozen) return nullptr;
    return Find(symbol + next, {PieceType_NORMAL, PieceType_USER_DEFINED, PieceType_UNUSED});
  }

  void NoteSplit(size_t left) {
    const Entry* merged = Merged(left);
    if (merged != nullptr && merged->piece.type == PieceType_UNUSED) {
      splits_[merged->piece.piece] = {symbols_[left].first, symbols_[left + 1].first};
    }
  }

  bool MergeBest() {
    const Entry* best = nullptr;
    size_t place = 0;
    for (size_t i = 0; i + 1 < symbols_.size(); ++i) {
      const Entry* merged = Merged(i);
      if (merged != nullptr && (best == nullptr || merged->piece.score > best->piece.score)) {
        best = merged;
        place = i;
      }
    }
    if (best == nullptr) return false;
    symbols_[place].first += symbols_[place + 1].first;
    symbols_.erase(symbols_.begin() + static_cast<ptrdiff_t>(place) + 1);
    if (place > 0) NoteSplit(place - 1);
    if (place + 1 < symbols_.size()) NoteSplit(place);
    return true;
  }

  void Emit(const std::string& symbol, int depth) {
    const Entry* entry = Find(symbol, {PieceType_NORMAL, PieceType_USER_DEFINED});
    if (entry != nullptr) return ids_.push_back(entry->id);
    const auto split = splits_.find(symbol);
    if (Find(symbol, {PieceType_UNUSED}) && split != splits_.end() && depth < 100) {
      Emit(split->second.first, depth + 1);
      Emit(split->second.second, depth + 1);
    } else if (ids_.empty() || ids_.back() != 0) {
      ids_.push_back(0);  // a run of unknowns is one
    }
  }

  std::map<std::string, Entry> pieces_;
  size_t longest_ = 0;
  std::vector<std::pair<std::string, bool>> symbols_;
  std::map<std::string, std::pair<std::string, std::string>> splits_;
  std::vector<int> ids_;
};

// Encodes random texts of up to `length` characters with random models and
// compares with BPE as it is defined.
size_t CompareWithDefinition(uint64_t seed, uint32_t length, bool unused) {
  RandomText random(seed);
  size_t texts = 0;
  for (int i = 0; i < 100; ++i) {
    TinyModel model = Bpe(random.Pieces(60));
    for (TinyPiece& piece : model.pieces) {
      if (piece.type != PieceType_NORMAL) continue;
      const uint32_t chance = random.Below(10);
      if (chance == 0) piece.type = PieceType_USER_DEFINED;
      if (unused && chance > 6) piece.type = PieceType_UNUSED;
      if (i % 2 == 0) piece.score *= 0.125f;  // fractions
      if (i % 4 < 2) piece.score += 0.5f;     // and positive ones
    }
    const auto processor = Load(model);
    PlainBpe plain(model);
    for (int j = 0; j < 10; ++j) {
      const std::string text = random.Text(length);
      CAPTURE(text);
      REQUIRE(EncodeNormalized(processor, text) == plain.Encode(text));
      ++texts;
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("the pair of the largest score merges first") {
  const auto processor = Load(Bpe({{"a", -9}, {"b", -9}, {"c", -9}, {"ab", -2}, {"bc", -1}}));
  CHECK(Cut(processor, "abc") == "a|bc");
  CHECK(Cut(processor, "ab") == "ab");
}

TEST_CASE("merges go on from what has merged") {
  const auto processor =
      Load(Bpe({{"t", -20}, {"h", -20}, {"e", -20}, {"th", -1}, {"the", -2}, {"he", -3}}));
  CHECK(Cut(processor, "the") == "the");
  CHECK(Cut(processor, "thethe") == "the|the");
}

TEST_CASE("a piece that no merge leads to does not come out") {
  const auto processor = Load(Bpe({{"a", -1}, {"b", -1}, {"c", -1}, {"abc", 5}}));
  CHECK(Cut(processor, "abc") == "a|b|c");
}

TEST_CASE("pieces merge whatever the order of their ids") {
  // Every merge on the way has a lower score than the word itself.
  const std::vector<TinyPiece> pieces = {{"thermal", -1}, {"therm", -30}, {"ther", -40},
                                         {"th", -50},     {"er", -45},    {"al", -48}};
  CHECK(Cut(Load(Bpe(pieces)), "thermal") == "thermal");
  SUBCASE("another way to it may come first") {
    std::vector<TinyPiece> more = pieces;
    more.push_back({"mal", -49});
    CHECK(Cut(Load(Bpe(more)), "thermal") == "thermal");
    more[0].piece = "thermals";
    CHECK(Cut(Load(Bpe(more)), "thermal") == "ther|mal");
  }
}

TEST_CASE("ties go to the left") {
  const auto processor = Load(Bpe({{"a", -9}, {"b", -9}, {"ab", -1}, {"ba", -1}, {"aa", -1}}));
  CHECK(Cut(processor, "aba") == "ab|a");
  CHECK(Cut(processor, "bab") == "ba|b");
  CHECK(Cut(processor, "aaa") == "aa|a");
  CHECK(Cut(processor, "aaaaa") == "aa|aa|a");
}

TEST_CASE("row 8.2: fractional BPE scores are not cut to integers") {
  const auto processor = Load(Bpe({{"a", -9}, {"b", -9}, {"c", -9}, {"ab", -0.7f}, {"bc", -0.2f}}));
  CHECK(Cut(processor, "abc") == "a|bc");
  CHECK(processor.GetScore(4) == -0.7f);
  CHECK(processor.GetScore(5) == -0.2f);
}

TEST_CASE("scores may be positive, equal, zero, or beyond 32 bits") {
  CHECK(Cut(Load(Bpe({{"ab", 1}, {"bc", 2}})), "abc") == "a|bc");
  CHECK(Cut(Load(Bpe({{"ab", 0}, {"bc", -1}})), "abc") == "ab|c");
  CHECK(Cut(Load(Bpe({{"ab", 0}, {"bc", 0}})), "abc") == "ab|c");
  CHECK(Cut(Load(Bpe({{"ab", -3e38f}, {"bc", -1e30f}})), "abc") == "a|bc");
  CHECK(Cut(Load(Bpe({{"ab", 3e38f}, {"bc", 1e30f}})), "abc") == "ab|c");
}

TEST_CASE("row 8.1: BPE merges through an UNUSED piece") {
  const auto processor = Load(Bpe(
      {{"a", -9}, {"b", -9}, {"c", -9}, {"ab", -1, PieceType_UNUSED}, {"abc", -2}, {"cd", -3}}));
  CHECK(Cut(processor, "abc") == "abc");
}

TEST_CASE("an UNUSED piece is taken apart again, recursively") {
  const auto processor = Load(Bpe({{"a", -9},
                                   {"b", -9},
                                   {"c", -9},
                                   {"d", -9},
                                   {"ab", -1, PieceType_UNUSED},
                                   {"abc", -2, PieceType_UNUSED},
                                   {"abcd", -3, PieceType_UNUSED}}));
  CHECK(Cut(processor, "abcd") == "a|b|c|d");
  SUBCASE("down to what is not in the vocabulary, which is unknown") {
    const auto without = Load(Bpe({{"a", -9}, {"ab", -1, PieceType_UNUSED}}));
    CHECK(EncodeNormalized(without, "ab") == std::vector<int>{1, 0});
  }
  SUBCASE("or to one character, which has no split and is unknown") {
    const auto one = Load(Bpe({{"a", -9}, {"b", -9, PieceType_UNUSED}}));
    CHECK(EncodeNormalized(one, "ab") == std::vector<int>{1, 0});
  }
}

TEST_CASE("the last split that was recorded counts, for the whole text") {
  // "abc" can come of ab+c and of a+bc; which one was last decides for both.
  const auto processor = Load(Bpe({{"a", -9},
                                   {"b", -9},
                                   {"c", -9},
                                   {"x", -9},
                                   {"ab", -1},
                                   {"bc", -2},
                                   {"xa", -0.5f},
                                   {"abc", -3, PieceType_UNUSED}}));
  CHECK(Cut(processor, "abc") == "ab|c");
  CHECK(Cut(processor, "xabc") == "xa|bc");
}

TEST_CASE("pieces that no text can contain neither merge nor come out") {
  const auto processor = Load(
      Bpe({{"a", -9, PieceType_CONTROL}, {"b", -9}, {"c", -9}, {"bc", -1, PieceType_CONTROL}}));
  CHECK(EncodeNormalized(processor, "a") == std::vector<int>{0});
  CHECK(Cut(processor, "bc") == "b|c");
  CHECK(EncodeNormalized(Load(Bpe({})), "<unk>") == std::vector<int>{0});
}

TEST_CASE("single characters of invisible types are one run of unknowns") {
  TinyModel model = Bpe({{"a", -1, PieceType_CONTROL}, {"b", -2, PieceType_UNUSED}});
  CHECK(EncodeNormalized(Load(model), "abab") == std::vector<int>{0});
  CHECK(Cut(Load(model), "abab") == "abab");
}

TEST_CASE("user-defined pieces are taken whole, the longest first") {
  std::vector<TinyPiece> pieces;
  for (const char* character : {"f", "o", "b", "a", "r", "z"}) {
    pieces.push_back({character, 1});
  }
  for (const char* piece : {"foo", "foobar", "foobarbaz"}) {
    pieces.push_back({piece, 1, PieceType_USER_DEFINED});
  }
  const auto processor = Load(Bpe(pieces));
  CHECK(Cut(processor, "foobarbazfoo") == "foobarbaz|foo");
  CHECK(Cut(processor, "foobarbafo") == "foobar|b|a|f|o");
}

TEST_CASE("user-defined pieces never merge") {
  const auto processor = Load(Bpe(
      {{"a", -9}, {"b", -9}, {"c", -9, PieceType_USER_DEFINED}, {"ac", 5}, {"cb", 5}, {"ab", -1}}));
  CHECK(Cut(processor, "acb") == "a|c|b");
  CHECK(Cut(processor, "abcab") == "ab|c|ab");
}

TEST_CASE("the model of one piece, and the text of one piece") {
  const auto processor = Load(Bpe({}));
  CHECK(EncodeNormalized(processor, "").empty());
  CHECK(EncodeNormalized(processor, "abc") == std::vector<int>{0});
}

TEST_CASE("random texts come out as BPE is defined") {
  // Up to 48 symbols are merged by scanning, more of them from a heap.
  MESSAGE(CompareWithDefinition(1, 40, false) << " short texts");
  MESSAGE(CompareWithDefinition(2, 200, false) << " long texts");
  MESSAGE(CompareWithDefinition(3, 40, true) << " short texts, UNUSED pieces");
  MESSAGE(CompareWithDefinition(4, 200, true) << " long texts, UNUSED pieces");
}

TEST_CASE("a long chunk comes out as a short one repeated") {
  // "x" joins nothing, so the parts are apart whatever their number.
  const auto processor = Load(
      Bpe({{"a", -9}, {"b", -9}, {"ab", -1}, {"abab", -2}, {"bx", -99}, {"xa", -98}, {"x", -9}}));
  const std::vector<int> part = EncodeNormalized(processor, "ababx");
  std::string text;
  std::vector<int> ids;
  for (int i = 0; i < 2000; ++i) text += "ababxx";
  for (int i = 0; i < 2000; ++i) {
    const std::vector<int> both = EncodeNormalized(processor, "ababxx");
    ids.insert(ids.end(), both.begin(), both.end());
  }
  REQUIRE(part.size() == 2);
  CHECK(EncodeNormalized(processor, text) == ids);
}

}  // namespace sentencepiece::lite
