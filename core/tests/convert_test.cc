// From a `.model` to the table of a `.spm.fb`: what is refused, and what is written.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "checksum.h"
#include "double_array.h"
#include "random_text.h"
#include "sentencepiece_lite_generated.h"
#include "sentencepiece_model_converters.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

// A converted model and its table.
struct Converted {
  explicit Converted(const TinyModel& model) : blob(Convert(model)) {}
  const ModelProto& table() const { return *GetModelProto(blob.data()); }
  std::string blob;
};

template <typename Vector>
auto Values(const Vector* vector) {
  return std::vector(vector->begin(), vector->end());
}

std::vector<std::string> Pieces(const ModelProto& table) {
  std::vector<std::string> pieces;
  for (const auto* piece : *table.pieces()) pieces.push_back(piece->str());
  return pieces;
}

DoubleArray Trie(const flatbuffers::Vector<uint8_t>* blob, uint32_t value_limit) {
  DoubleArray trie;
  REQUIRE(blob != nullptr);
  REQUIRE(trie.Attach(blob->data(), blob->size(), value_limit));
  return trie;
}

TinyModel Bpe(std::vector<TinyPiece> pieces) {
  return PlainModel(ModelType_BPE, std::move(pieces));
}

TinyModel Unigram(std::vector<TinyPiece> pieces) {
  return PlainModel(ModelType_UNIGRAM, std::move(pieces));
}

TinyModel WithBytes(TinyModel model) {
  AddBytePieces(&model);
  return model;
}

const std::string kNul(1, '\0');

}  // namespace

TEST_CASE("a piece that the oracle would refuse is refused by its id and text") {
  CHECK(RefusalOf(Bpe({{"a"}, {""}})) == "piece 2 is empty");
  CHECK(RefusalOf(Bpe({{"a"}, {"b"}, {"a"}})) == "piece 3 (a) is the same as piece 1");
  CHECK(RefusalOf(Bpe({{"<unk>", 0, PieceType_CONTROL}})) ==
        "piece 1 (<unk>) is the same as piece 0");
  CHECK(RefusalOf(Bpe({{"a" + kNul}})) ==
        "piece 1 holds a NUL byte, which may only stand alone, with byte_fallback");
  CHECK(RefusalOf(Bpe({{kNul}})) ==
        "piece 1 holds a NUL byte, which may only stand alone, with byte_fallback");
  CHECK(RefusalOf(Bpe({{std::string(8000, 'a')}})) == "piece 1 has 8,000 bytes or more");
  CHECK(RefusalOf(Bpe({{std::string(7999, 'a')}})).empty());
  CHECK(RefusalOf(Unigram({{"a", NAN}})) == "piece 1 (a) has a score that is NaN or infinite");
  CHECK(RefusalOf(Unigram({{"\xe3\x81\x82", -INFINITY}})) ==
        "piece 1 (\xe3\x81\x82) has a score that is NaN or infinite");
  SUBCASE("whose text is left out where it could not be shown") {
    CHECK(RefusalOf(Unigram({{"\xe3\x81", NAN}})) == "piece 1 has a score that is NaN or infinite");
    CHECK(RefusalOf(Unigram({{"\n", NAN}})) == "piece 1 has a score that is NaN or infinite");
  }
}

TEST_CASE("one piece is UNKNOWN, or none with byte_fallback") {
  TinyModel model{.type = ModelType_BPE, .pieces = {{"a"}}};
  CHECK(RefusalOf(model) ==
        "0 pieces are of type UNKNOWN; a model has one (or none, with byte_fallback)");
  CHECK(RefusalOf(WithBytes(model)).empty());
  model.pieces = {{"a", 0, PieceType_UNKNOWN}, {"b", 0, PieceType_UNKNOWN}};
  CHECK(RefusalOf(WithBytes(model)) ==
        "2 pieces are of type UNKNOWN; a model has one (or none, with byte_fallback)");
}

TEST_CASE("a Unigram model has a piece that a text can hold") {
  const std::string refusal =
      "no piece is of type NORMAL, USER_DEFINED or UNUSED (a NUL does not count)";
  CHECK(RefusalOf(Unigram({{"<s>", 0, PieceType_CONTROL}})) == refusal);
  CHECK(RefusalOf(Unigram({{"a", 0, PieceType_UNUSED}})).empty());
  CHECK(RefusalOf(WithBytes(Unigram({{kNul}}))) == refusal);
  CHECK(RefusalOf(WithBytes(Unigram({{kNul}, {"a", 0, PieceType_UNUSED}}))).empty());
}

TEST_CASE("byte pieces come with byte_fallback, well spelled and all of them") {
  CHECK(RefusalOf(Bpe({{"<0x41>", 0, PieceType_BYTE}})) ==
        "piece 1 (<0x41>) is of type BYTE, but trainer_spec.byte_fallback is false");
  for (const char* piece : {"<0x4a>", "<0x4>", "<0x041>", "0x4A", "<0X4A>", "<0x4A>>"}) {
    TinyModel model = Bpe({{piece, 0, PieceType_BYTE}});
    model.byte_fallback = true;
    CHECK(RefusalOf(model) ==
          "piece 1 (" + std::string(piece) + ") is of type BYTE, but not spelled as <0x0A> is");
  }
  TinyModel model = WithBytes(Bpe({}));
  model.pieces.back().type = PieceType_NORMAL;
  CHECK(RefusalOf(model) == "byte_fallback needs 256 pieces of type BYTE, but 255 are there");
  SUBCASE("in any order and place") {
    model = WithBytes(Bpe({}));
    std::reverse(model.pieces.begin(), model.pieces.end());
    model.pieces.insert(model.pieces.begin() + 100, {"a"});
    const auto processor = Load(model);
    CHECK(Encode(processor, "a") == std::vector<int>{100});
    CHECK(Decode(processor, Encode(processor, "\xe3\x81\x82")) == "\xe3\x81\x82");
  }
}

TEST_CASE("a NUL piece is kept beside byte pieces, and is no text") {
  const Converted converted(WithBytes(Bpe({{kNul}, {"a"}})));
  const ModelProto& table = converted.table();
  CHECK(Pieces(table)[1] == kNul);
  CHECK(table.types()->Get(1) == PieceType_UNUSED);
  const DoubleArray trie = Trie(table.pieces_trie_blob(), table.pieces()->size());
  CHECK(trie.Find("a") == 2);
  CHECK(trie.Find(kNul) == DoubleArray::kNoValue);
  SUBCASE("also if it is UNUSED already") {
    CHECK(RefusalOf(Bpe({{"a"}, {kNul, 0, PieceType_UNUSED}})).empty());
  }
}

TEST_CASE("pieces, types and scores are those of the model") {
  const Converted converted(Unigram({{"a", -1.5f}, {"b", -2, PieceType_USER_DEFINED}}));
  const ModelProto& table = converted.table();
  CHECK(Pieces(table) == std::vector<std::string>{"<unk>", "a", "b"});
  CHECK(Values(table.types()) ==
        std::vector<int8_t>{PieceType_UNKNOWN, PieceType_NORMAL, PieceType_USER_DEFINED});
  CHECK(Values(table.scores()) == std::vector<float>{0, -1.5f, -2});
  CHECK(table.model_type() == ModelType_UNIGRAM);
  CHECK(table.int_scores() == nullptr);
  CHECK(table.merge_ranks() == nullptr);
  CHECK_FALSE(table.has_direct_mappings());
}

TEST_CASE("WORD and CHAR models have scores") {
  for (const ModelType type : {ModelType_WORD, ModelType_CHAR}) {
    const Converted converted(PlainModel(type, {{"a", -1.5f}}));
    CHECK(converted.table().model_type() == type);
    CHECK(Values(converted.table().scores()) == std::vector<float>{0, -1.5f});
    CHECK(converted.table().int_scores() == nullptr);
  }
}

TEST_CASE("whole BPE scores are integers alone") {
  const Converted converted(Bpe({{"a", -3}, {"b", 7}, {"ab", -16777216}}));
  const ModelProto& table = converted.table();
  CHECK(Values(table.int_scores()) == std::vector<int32_t>{0, -3, 7, -16777216});
  CHECK(table.scores() == nullptr);
  CHECK(table.float_scores() == nullptr);
  CHECK(table.merge_ranks() == nullptr);
}

TEST_CASE("other BPE scores are cut toward zero, kept, and ranked as the oracle compares them") {
  const std::vector<float> scores = {0,     -0.7f, -0.2f,     2.5f,     -2.5f,
                                     -0.0f, 1e20f, -INFINITY, INFINITY, -0.7f};
  std::vector<TinyPiece> pieces;
  for (size_t id = 1; id < scores.size(); ++id) {
    pieces.push_back({std::string(1, static_cast<char>('a' + id)), scores[id]});
  }
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  const Converted converted(Bpe(pieces));
  const ModelProto& table = converted.table();
  CHECK(Values(table.int_scores()) ==
        std::vector<int32_t>{0, 0, 0, 2, -2, 0, kMost, -kMost - 1, kMost, 0});
  CHECK(Values(table.float_scores()) == scores);
  CHECK(Values(table.merge_ranks()) == std::vector<int32_t>{5, 2, 3, 6, 1, 4, 7, 0, 8, 2});
  CHECK(table.scores() == nullptr);
}

TEST_CASE("a NaN among BPE scores is cut to 0 and ranked by its bits") {
  const Converted converted(Bpe({{"a", NAN}, {"b", INFINITY}, {"c", -NAN}}));
  CHECK(Values(converted.table().int_scores())[1] == 0);
  CHECK(Values(converted.table().merge_ranks()) == std::vector<int32_t>{1, 3, 2, 0});
}

TEST_CASE("both zeros among pieces that merge need ranks, one of them does not") {
  CHECK(Converted(Bpe({{"ab", -0.0f}, {"a", -1}})).table().merge_ranks() == nullptr);
  CHECK(Converted(Bpe({{"ab", -0.0f}, {"bc", 0.0f}})).table().merge_ranks() != nullptr);
  CHECK(Converted(Bpe({{"ab", -0.0f}, {"bc", 0.0f, PieceType_UNUSED}})).table().merge_ranks() !=
        nullptr);
  // A user-defined piece is found before anything merges.
  CHECK(
      Converted(Bpe({{"ab", -0.0f}, {"bc", 0.0f, PieceType_USER_DEFINED}})).table().merge_ranks() ==
      nullptr);
}

TEST_CASE("unk_surface is written as it is, present or by default") {
  TinyModel model = Bpe({{"a"}});
  CHECK(Converted(model).table().unk_surface()->str() == " \xe2\x81\x87 ");
  model.unk_surface = "";
  REQUIRE(Converted(model).table().unk_surface() != nullptr);
  CHECK(Converted(model).table().unk_surface()->str().empty());
  model.unk_surface = "?";
  CHECK(Converted(model).table().unk_surface()->str() == "?");
}

TEST_CASE("special ids are found by name and type, not by trainer_spec's numbers") {
  TinyModel model{.type = ModelType_BPE,
                  .pieces = {{"a"},
                             {"<s>", 0, PieceType_CONTROL},
                             {"<unk>", 0, PieceType_UNKNOWN},
                             {"</s>"},
                             {"[CLS]", 0, PieceType_CONTROL}},
                  .unk_id = 0};
  const auto check = [&model](int unk, int bos, int eos, int pad) {
    const Converted converted(model);
    CHECK(converted.table().unk_id() == unk);
    CHECK(converted.table().bos_id() == bos);
    CHECK(converted.table().eos_id() == eos);
    CHECK(converted.table().pad_id() == pad);
  };
  check(2, 1, -1, -1);
  SUBCASE("of which an empty one is the usual one") {
    model.bos_piece = "";
    model.unk_piece = "";
    check(2, 1, -1, -1);
  }
  SUBCASE("which the model can choose") {
    model.bos_piece = "[CLS]";
    model.pad_piece = "[CLS]";
    check(2, 4, -1, 4);
  }
  SUBCASE("an unk_piece that is no piece finds the UNKNOWN piece") {
    model.unk_piece = "[UNK]";
    check(2, 1, -1, -1);
  }
  SUBCASE("an unk_piece of another type finds nothing") {
    model.unk_piece = "a";
    check(-1, 1, -1, -1);
  }
}

TEST_CASE("a missing normalizer_spec is written with its defaults") {
  TinyModel model = Bpe({{"a"}});
  model.normalizer.reset();
  model.treat_whitespace_as_suffix = true;
  const Converted converted(model);
  const NormalizerSpec* spec = converted.table().normalizer_spec();
  REQUIRE(spec != nullptr);
  CHECK(spec->add_dummy_prefix());
  CHECK(spec->remove_extra_whitespaces());
  CHECK(spec->escape_whitespaces());
  CHECK(spec->treat_whitespace_as_suffix());
  CHECK(spec->name() == nullptr);
  CHECK(spec->precompiled_charsmap() == nullptr);
}

TEST_CASE("a normalizer_spec is written with its charsmap, aligned") {
  TinyModel model = Bpe({{"a"}});
  model.normalizer =
      TinyNormalizerSpec{.charsmap = Charsmap({{"A", "a"}}), .remove_extra_whitespaces = false};
  const Converted converted(model);
  const NormalizerSpec* spec = converted.table().normalizer_spec();
  CHECK(spec->add_dummy_prefix());
  CHECK_FALSE(spec->remove_extra_whitespaces());
  CHECK_FALSE(spec->treat_whitespace_as_suffix());
  const auto* charsmap = spec->precompiled_charsmap();
  CHECK(std::string(charsmap->begin(), charsmap->end()) == model.normalizer->charsmap);
  CHECK((reinterpret_cast<const char*>(charsmap->data()) - converted.blob.data()) % 8 == 0);
}

TEST_CASE("a charsmap that is damaged is refused") {
  TinyModel model = Bpe({{"a"}});
  model.normalizer = TinyNormalizerSpec{.charsmap = "abc"};
  CHECK(RefusalOf(model) == "precompiled_charsmap of normalizer_spec is damaged: it is cut off");
}

TEST_CASE("a denormalizer_spec counts only with a charsmap") {
  TinyModel model = Bpe({{"a"}});
  model.denormalizer = TinyNormalizerSpec{};
  CHECK(Converted(model).table().denormalizer_spec() == nullptr);
  model.denormalizer->charsmap = Charsmap({{"a", "b"}});
  model.treat_whitespace_as_suffix = true;
  const Converted converted(model);
  REQUIRE(converted.table().denormalizer_spec() != nullptr);
  CHECK_FALSE(converted.table().denormalizer_spec()->treat_whitespace_as_suffix());
}

TEST_CASE("the tries hold the pieces, the user-defined ones, and all neighbours") {
  const Converted converted(
      Bpe({{"a"}, {"bc", 0, PieceType_USER_DEFINED}, {"cab", 0, PieceType_CONTROL}}));
  const ModelProto& table = converted.table();
  const DoubleArray pieces = Trie(table.pieces_trie_blob(), 4);
  CHECK(pieces.Find("<unk>") == 0);
  CHECK(pieces.Find("a") == 1);
  CHECK(pieces.Find("bc") == 2);
  CHECK(pieces.Find("cab") == 3);
  const DoubleArray user_defined = Trie(table.prefix_matcher_trie_blob(), 4);
  CHECK(user_defined.Find("bc") == 2);
  CHECK(user_defined.Find("a") == DoubleArray::kNoValue);
  const auto* pairs_blob = table.char_bigram_trie_blob();
  const DoubleArray pairs = Trie(pairs_blob, pairs_blob->size());
  for (const char* pair : {"bc", "ca", "ab", "un"}) CHECK(pairs.Find(pair) >= 0);
  CHECK(pairs.Find("ac") == DoubleArray::kNoValue);
  SUBCASE("and those without entries are left out") {
    const Converted alone(
        TinyModel{.type = ModelType_BPE, .pieces = {{"u", 0, PieceType_UNKNOWN}}});
    CHECK(alone.table().pieces_trie_blob() != nullptr);
    CHECK(alone.table().prefix_matcher_trie_blob() == nullptr);
    CHECK(alone.table().char_bigram_trie_blob() == nullptr);
  }
}

TEST_CASE("a BPE piece maps directly where its own merges lead to it") {
  SUBCASE("as all do here") {
    const Converted converted(
        Bpe({{"a", -2}, {"b", -3}, {"ab", -1}, {"<s>", 0, PieceType_CONTROL}}));
    CHECK(converted.table().has_direct_mappings());
    CHECK(converted.table().is_direct_mapping() == nullptr);
  }
  SUBCASE("which abcd does not: bc merges first, and then nothing does") {
    const Converted converted(Bpe({{"a"}, {"b"}, {"bc", -1}, {"ab", -2}, {"abcd", -3}}));
    CHECK(Values(converted.table().is_direct_mapping()) == std::vector<uint8_t>{1, 1, 1, 1, 1, 0});
  }
  SUBCASE("or is not found out about, beyond 128 bytes") {
    const Converted converted(Bpe({{"a"}, {std::string(129, 'b'), 0, PieceType_USER_DEFINED}}));
    CHECK(Values(converted.table().is_direct_mapping()) == std::vector<uint8_t>{1, 1, 0});
  }
  SUBCASE("or there is none, and nothing is written") {
    const Converted converted(Bpe({{"abc"}}));
    CHECK_FALSE(converted.table().has_direct_mappings());
    CHECK(converted.table().is_direct_mapping() == nullptr);
  }
}

TEST_CASE("a file carries our identifier and its checksum, and is the same every time") {
  const Converted converted(Bpe({{"a"}, {"b"}}));
  CHECK(ModelProtoBufferHasIdentifier(converted.blob.data()));
  const size_t offset = ChecksumOffset(converted.blob);
  REQUIRE(offset != 0);
  CHECK(converted.table().checksum() == BlobChecksum(converted.blob, offset));
  CHECK(Converted(Bpe({{"a"}, {"b"}})).blob == converted.blob);
}

TEST_CASE("a model of more than 64 MiB is refused") {
  CHECK(ToFlatbuffer(std::string((size_t{1} << 26) + 1, 'a')).message() ==
        "the model has more than 64 MiB");
}

TEST_CASE("what becomes of altered models loads or is refused, without a crash") {
  TinyModel model = WithBytes(Bpe({{"a", -1}, {"ab", -2}, {"b", -3, PieceType_USER_DEFINED}}));
  model.normalizer = TinyNormalizerSpec{.charsmap = Charsmap({{"A", "a"}})};
  const std::string whole = Serialize(model);
  RandomText random(11);
  int converted = 0;
  for (int round = 0; round < 2'000; ++round) {
    std::string bytes = whole;
    for (uint32_t changes = 1 + random.Below(3); changes > 0; --changes) {
      bytes[random.Below(static_cast<uint32_t>(bytes.size()))] =
          static_cast<char>(random.Below(256));
    }
    const StatusOr<std::string> blob = ToFlatbuffer(bytes);
    CHECK(blob.ok() == blob.message().empty());
    if (!blob.ok()) continue;
    ++converted;
    const SentencePieceLiteProcessor processor{std::string_view(*blob)};
    CHECK(processor.status() == StatusCode::kOk);
    Encode(processor, "abAB \xff");
  }
  MESSAGE(converted << " of 2,000 altered models were converted");
  CHECK(converted > 0);
}

}  // namespace sentencepiece::lite
