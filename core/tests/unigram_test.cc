// Section 4 of what a model means: Unigram.

#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
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

TinyModel Unigram(std::vector<TinyPiece> pieces) {
  return PlainModel(ModelType_UNIGRAM, std::move(pieces));
}

// Unigram as it is defined, with no thought of speed: one pass in float32 over
// the whole text.
class PlainUnigram {
 public:
  explicit PlainUnigram(const TinyModel& model) {
    for (size_t id = 0; id < model.pieces.size(); ++id) {
      const TinyPiece& piece = model.pieces[id];
      longest_ = std::max(longest_, piece.piece.size());
      if (piece.type == PieceType_NORMAL) {
        least_ = std::min(least_, piece.score);
        scores_[piece.piece] = {piece.score, static_cast<int>(id)};
      } else if (piece.type == PieceType_USER_DEFINED) {
        const double bonus = 0.1 * (static_cast<double>(piece.piece.size()) - 1);
        scores_[piece.piece] = {static_cast<float>(bonus), static_cast<int>(id)};
      }
    }
  }

  std::vector<int> Encode(std::string_view text) {
    nodes_.assign(text.size() + 1, {});
    nodes_[0].reached = true;
    for (size_t begin = 0; begin < text.size();) {
      Recenter(begin);
      const size_t character = CharacterLength(text.substr(begin));
      bool spelled = false;
      const size_t longest = std::min(longest_, text.size() - begin);
      for (size_t size = 1; size <= longest; ++size) {
        const auto found = scores_.find(std::string(text.substr(begin, size)));
        if (found == scores_.end()) continue;
        spelled |= size == character;
        Offer(begin, size, found->second.first, found->second.second);
      }
      if (!spelled) Offer(begin, character, least_ - 10.0f, 0);
      begin += character;
    }
    return Path(text.size());
  }

 private:
  struct Node {
    float score = 0;
    int id = 0;
    size_t begin = 0;
    bool reached = false;
  };

  void Recenter(size_t begin) {
    const float score = nodes_[begin].score;
    if (score >= -100000.0f && score <= 100000.0f) return;
    nodes_[begin].score = 0;
    for (size_t i = begin + 1; i < nodes_.size(); ++i) {
      if (nodes_[i].reached) nodes_[i].score -= score;
    }
  }

  void Offer(size_t begin, size_t size, float score, int id) {
    Node& node = nodes_[begin + size];
    const float candidate = score + nodes_[begin].score;
    if (node.reached && !(candidate > node.score)) return;
    node = {candidate, id, begin, true};
  }

  std::vector<int> Path(size_t end) const {
    std::vector<int> ids;
    for (; end > 0; end = nodes_[end].begin) {
      const int id = nodes_[end].id;
      // A run of unknowns is one.
      if (id != 0 || ids.empty() || ids.back() != 0) ids.push_back(id);
    }
    std::reverse(ids.begin(), ids.end());
    return ids;
  }

  std::map<std::string, std::pair<float, int>> scores_;
  float least_ = FLT_MAX;
  size_t longest_ = 0;
  std::vector<Node> nodes_;
};

// Encodes random texts with random models, their scores times `scale`, and
// compares with Unigram as it is defined.
size_t CompareWithDefinition(uint64_t seed, uint32_t length, float scale) {
  RandomText random(seed);
  size_t texts = 0;
  for (int i = 0; i < 100; ++i) {
    TinyModel model = Unigram(random.Pieces(60));
    for (TinyPiece& piece : model.pieces) {
      if (piece.type != PieceType_NORMAL) continue;
      const uint32_t chance = random.Below(12);
      if (chance == 0) piece.type = PieceType_USER_DEFINED;
      if (chance == 1) piece.type = PieceType_UNUSED;
      piece.score *= scale;
    }
    const auto processor = Load(model);
    PlainUnigram plain(model);
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

TEST_CASE("the segmentation of the largest sum wins") {
  const auto processor =
      Load(Unigram({{"a", -1}, {"b", -1}, {"c", -1}, {"ab", -1.5f}, {"bc", -1.2f}}));
  CHECK(Cut(processor, "abc") == "a|bc");
  CHECK(Cut(processor, "ab") == "ab");
  CHECK(Cut(processor, "cab") == "c|ab");
}

TEST_CASE("on a tie the longest last piece stays") {
  const auto processor = Load(Unigram({{"a", -1}, {"aa", -2}}));
  CHECK(Cut(processor, "aa") == "aa");
  const auto three = Load(Unigram({{"a", -2}, {"aa", -3}}));
  CHECK(Cut(three, "aaa") == "a|aa");
}

TEST_CASE("a tie is decided by float32 from the start of the text") {
  // From 0 the two sums tie; after a large score they round differently.
  const TinyModel model = Unigram({{"a", -0.1f}, {"aa", -0.2f}, {"b", -0.3f}, {"x", -70000.3f}});
  PlainUnigram plain(model);
  const auto processor = Load(model);
  for (const std::string_view text : {"aaa", "xaaa", "xxaaa", "aaaaaaaxaaaa"}) {
    CHECK(EncodeNormalized(processor, text) == plain.Encode(text));
  }
}

TEST_CASE("a character that no piece spells costs the least score less ten") {
  SUBCASE("an unknown character") {
    const auto processor = Load(Unigram({{"a", -1}, {"aa", -20}}));
    CHECK(EncodeNormalized(processor, "bab") == std::vector<int>{0, 1, 0});
  }
  SUBCASE("spelling it otherwise has to be worth more") {
    // "ab": the piece at -13 against "a" at -1 and an unknown at -3 - 10.
    CHECK(Cut(Load(Unigram({{"a", -1}, {"c", -3}, {"ab", -13}})), "ab") == "ab");
    CHECK(EncodeNormalized(Load(Unigram({{"a", 20}, {"ab", -3}})), "ab") == std::vector<int>{1, 0});
  }
  SUBCASE("CONTROL, UNKNOWN and UNUSED pieces spell nothing") {
    const auto processor =
        Load(Unigram({{"a", -1}, {"b", 5, PieceType_CONTROL}, {"c", 5, PieceType_UNUSED}}));
    CHECK(EncodeNormalized(processor, "abca") == std::vector<int>{1, 0, 1});
    CHECK(EncodeNormalized(processor, "<unk>") == std::vector<int>{0});
  }
}

TEST_CASE("a run of unknown characters is one unknown piece") {
  const auto processor = Load(Unigram({{"a", -1}}));
  CHECK(Cut(processor,
            "xyz\xe6\x97\xa5"
            "axy") == "xyz\xe6\x97\xa5|a|xy");
}

TEST_CASE("a user-defined piece beats every other way to spell it") {
  const auto processor = Load(
      Unigram({{"a", -0.5f}, {"b", -0.5f}, {"ab", -0.1f}, {"abab", 0, PieceType_USER_DEFINED}}));
  CHECK(Cut(processor, "abab") == "abab");
  CHECK(Cut(processor, "babab") == "b|abab");
  CHECK(Cut(processor, "ababab") == "ab|abab");  // a tie
  CHECK(processor.GetScore(4) == 0);
}

TEST_CASE("row 8.12: the bonus of user-defined pieces is rounded from double") {
  // Against a piece whose score is the float product 0.1f * (bytes - 1), which
  // differs from the rounded double product at these lengths.
  size_t differing = 0;
  for (int size : {10, 14, 19, 22, 27, 32}) {
    const float from_double = static_cast<float>(0.1 * (size - 1));
    const float from_float = 0.1f * static_cast<float>(size - 1);
    differing += from_double != from_float;
    // The user-defined piece comes first, by its start; the other one replaces
    // it only with a score that is greater.
    const std::string word(static_cast<size_t>(size), 'u');
    for (const float rival : {from_double, from_float}) {
      const TinyModel model =
          Unigram({{word, 0, PieceType_USER_DEFINED}, {"v", 0}, {word + "v", rival}});
      PlainUnigram plain(model);
      CHECK(EncodeNormalized(Load(model), word + "v") == plain.Encode(word + "v"));
    }
  }
  CHECK(differing == 6);
}

TEST_CASE("scores beyond 100,000 are re-centred, and the best path stays") {
  SUBCASE("below") {
    const TinyModel model =
        Unigram({{"a", -60000.1f}, {"aa", -120000.3f}, {"b", -0.1f}, {"bb", -0.2f}});
    PlainUnigram plain(model);
    const auto processor = Load(model);
    for (const std::string_view text :
         {"aaa", "aabbbbb", "aaaaabbbaabbaabbbb", "bbbbaabbbbaaaabbb"}) {
      CHECK(EncodeNormalized(processor, text) == plain.Encode(text));
    }
  }
  SUBCASE("above") {
    const TinyModel model =
        Unigram({{"a", 60000.1f}, {"aa", 120000.3f}, {"b", 0.1f}, {"bb", 0.2f}});
    PlainUnigram plain(model);
    const auto processor = Load(model);
    for (const std::string_view text :
         {"aaa", "aabbbbb", "aaaaabbbaabbaabbbb", "bbbbaabbbbaaaabbb"}) {
      CHECK(EncodeNormalized(processor, text) == plain.Encode(text));
    }
  }
  SUBCASE("exactly 100,000 is not yet beyond") {
    const TinyModel model = Unigram({{"a", -100000.0f}, {"b", -0.1f}, {"bb", -0.2f}});
    PlainUnigram plain(model);
    CHECK(EncodeNormalized(Load(model), "abbbb") == plain.Encode("abbbb"));
  }
  SUBCASE("at the ends of float32, where a difference may be infinite") {
    size_t texts = 0;
    for (const float score : {-FLT_MAX, FLT_MAX, -1e38f, 1e38f, 3e38f}) {
      const TinyModel model = Unigram({{"a", score}, {"aa", -score}, {"b", 1}, {"ab", score}});
      PlainUnigram plain(model);
      const auto processor = Load(model);
      RandomText random(6);
      for (; texts % 200 != 199; ++texts) {
        std::string text;
        for (uint32_t length = 1 + random.Below(12); length > 0; --length) {
          text += random.Below(3) == 0 ? 'b' : 'a';
        }
        CHECK(EncodeNormalized(processor, text) == plain.Encode(text));
      }
      ++texts;
    }
    CHECK(texts == 1000);
  }
}

TEST_CASE("a long text is re-centred many times, in chunks as at once") {
  // "a" and "b" are never neighbours in a piece: cuts are everywhere.
  const TinyModel model =
      Unigram({{"a", -30.7f}, {"aa", -61.3f}, {"aaa", -92.2f}, {"b", -9.3f}, {"bb", -18.7f}});
  PlainUnigram plain(model);
  RandomText random(5);
  std::string text;
  for (int i = 0; i < 20000; ++i) text += random.Below(3) == 0 ? 'b' : 'a';
  CHECK(EncodeNormalized(Load(model), text) == plain.Encode(text));
}

TEST_CASE("random texts come out as Unigram is defined") {
  MESSAGE(CompareWithDefinition(1, 40, 1.0f) << " texts");
  MESSAGE(CompareWithDefinition(2, 40, 0.1f) << " texts, fractional scores");
  MESSAGE(CompareWithDefinition(3, 300, 0.37f) << " long texts");
  MESSAGE(CompareWithDefinition(4, 100, 7777.7f) << " texts of large scores");
  MESSAGE(CompareWithDefinition(5, 100, -7777.7f) << " of positive scores");
}

TEST_CASE("with byte fallback an unknown character is its bytes") {
  TinyModel model = Unigram({{"a", -1}});
  AddBytePieces(&model);
  const auto processor = Load(model);
  const int first = processor.PieceToId("<0x00>");
  CHECK(EncodeNormalized(processor, "\xf0\x9f\x8d\xa3") ==
        std::vector<int>{first + 0xF0, first + 0x9F, first + 0x8D, first + 0xA3});
}

TEST_CASE("a piece that ends inside a character never comes out") {
  // It leads to a place where no character begins.
  const auto processor = Load(Unigram({{"a\xe6", 50}, {"a", -1}}));
  CHECK(EncodeNormalized(processor, "a\xe6\x97\xa5") == std::vector<int>{2, 0});
}

}  // namespace sentencepiece::lite
