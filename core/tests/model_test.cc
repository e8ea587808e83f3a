// What is refused at loading, and in which words.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

// A .spm.fb as the published runtime writes it, without identifier or checksum,
// so that a test may put anything into it.
struct RawBlob {
  ModelType type = ModelType_UNIGRAM;
  std::vector<std::string> pieces = {"<unk>", "ab", "b"};
  std::optional<std::vector<float>> scores = std::vector<float>{0, -1, -2};
  std::optional<std::vector<int32_t>> int_scores = std::nullopt;
  std::optional<std::vector<int8_t>> types =
      std::vector<int8_t>{PieceType_UNKNOWN, PieceType_NORMAL, PieceType_NORMAL};
  std::optional<std::string> pieces_trie = TrieBytes({{"<unk>", 0}, {"ab", 1}, {"b", 2}});
  std::string user_defined_trie = {};
  std::string pair_trie = {};
  std::vector<uint8_t> direct_mappings = {};
  std::vector<float> float_scores = {};
  std::vector<int32_t> merge_ranks = {};
  std::string charsmap = {};
  std::string denormalizer_charsmap = {};
  int unk_id = 0;
  int bos_id = -1;
  int eos_id = -1;
  int pad_id = -1;
  const char* identifier = nullptr;
};

class RawWriter {
 public:
  std::string Write(const RawBlob& raw) {
    const auto pieces = builder_.CreateVectorOfStrings(raw.pieces);
    const auto scores = Vector(raw.scores);
    const auto int_scores = Vector(raw.int_scores);
    const auto types = Vector(raw.types);
    const auto pieces_trie = Bytes(raw.pieces_trie.value_or(""));
    const auto user_defined_trie = Bytes(raw.user_defined_trie);
    const auto pair_trie = Bytes(raw.pair_trie);
    const auto direct_mappings = Vector(raw.direct_mappings);
    const auto float_scores = Vector(raw.float_scores);
    const auto merge_ranks = Vector(raw.merge_ranks);
    const auto normalizer = CreateNormalizerSpec(builder_, 0, Bytes(raw.charsmap));
    const auto denormalizer = CreateNormalizerSpec(builder_, 0, Bytes(raw.denormalizer_charsmap));
    ModelProtoBuilder table(builder_);
    if (!raw.pieces.empty()) table.add_pieces(pieces);
    table.add_scores(scores);
    table.add_int_scores(int_scores);
    table.add_types(types);
    table.add_pieces_trie_blob(pieces_trie);
    table.add_prefix_matcher_trie_blob(user_defined_trie);
    table.add_char_bigram_trie_blob(pair_trie);
    table.add_is_direct_mapping(direct_mappings);
    table.add_float_scores(float_scores);
    table.add_merge_ranks(merge_ranks);
    table.add_normalizer_spec(normalizer);
    if (!raw.denormalizer_charsmap.empty()) {
      table.add_denormalizer_spec(denormalizer);
    }
    table.add_model_type(raw.type);
    table.add_unk_id(raw.unk_id);
    table.add_bos_id(raw.bos_id);
    table.add_eos_id(raw.eos_id);
    table.add_pad_id(raw.pad_id);
    builder_.Finish(table.Finish(), raw.identifier);
    return {reinterpret_cast<const char*>(builder_.GetBufferPointer()), builder_.GetSize()};
  }

 private:
  template <typename T>
  using VectorOffset = flatbuffers::Offset<flatbuffers::Vector<T>>;

  template <typename T>
  VectorOffset<T> Vector(const std::vector<T>& values) {
    return values.empty() ? 0 : builder_.CreateVector(values);
  }
  template <typename T>
  VectorOffset<T> Vector(const std::optional<std::vector<T>>& values) {
    return values.has_value() ? builder_.CreateVector(*values) : 0;
  }
  VectorOffset<uint8_t> Bytes(std::string_view bytes) {
    if (bytes.empty()) return 0;
    builder_.ForceVectorAlignment(bytes.size(), 1, 8);
    return builder_.CreateVector(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }

  flatbuffers::FlatBufferBuilder builder_;
};

struct Outcome {
  StatusCode code;
  std::string message;
};

Outcome LoadBytes(std::string bytes) {
  // So that they are on the heap, aligned: on 32 bits a short string's own bytes may not be.
  bytes.reserve(64);
  const SentencePieceLiteProcessor processor(std::make_shared<std::string>(std::move(bytes)));
  return {processor.status(), std::string(processor.status_message())};
}

// Checks that the blob is refused as one that contradicts itself.
void CheckDamaged(const RawBlob& raw, std::string_view reason) {
  const Outcome outcome = LoadBytes(RawWriter().Write(raw));
  CHECK(outcome.code == StatusCode::kInternal);
  CHECK(outcome.message == "this .spm.fb is damaged: " + std::string(reason));
}

// Checks that the bytes are refused as something that is no model at all.
void CheckForeign(std::string bytes, std::string_view reason) {
  const Outcome outcome = LoadBytes(std::move(bytes));
  CHECK(outcome.code == StatusCode::kInvalidArgument);
  CHECK(outcome.message.starts_with("not a .spm.fb model: " + std::string(reason)));
}

RawBlob RawBpe() {
  RawBlob raw = {.type = ModelType_BPE};
  raw.scores.reset();
  raw.int_scores = {0, -1, -2};
  return raw;
}

}  // namespace

TEST_CASE("the blob that the refusals below are made from is sound") {
  CHECK(LoadBytes(RawWriter().Write({})).message.empty());
  CHECK(LoadBytes(RawWriter().Write(RawBpe())).message.empty());
}

TEST_CASE("bytes that are no model are shown as they begin") {
  const std::string kForeign =
      "it was cut off, altered, or is of a kind that has to be converted; it begins with ";
  CheckForeign("", "it is empty");
  CheckForeign("  \n <!DOCTYPE html><html>404</html>", kForeign + "  . <!DOCTYPE html>");
  CheckForeign("version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
               kForeign + "version https://git-lfs.");
  CheckForeign("{\"model\": {\"type\": \"BPE\"}}", kForeign + "{\"model\": {\"type\"");
  CheckForeign(Serialize(PlainModel(ModelType_BPE, {{"ab", -1}})), kForeign + "..");
  CheckForeign("\xff\xff\xff\x7f", kForeign + "....");
}

TEST_CASE("a blob that is cut off anywhere is refused, without a crash") {
  const std::string blob = Convert(PlainModel(ModelType_BPE, {{"ab", -1}}));
  for (size_t size = 0; size < blob.size(); ++size) {
    REQUIRE(LoadBytes(blob.substr(0, size)).code != StatusCode::kOk);
  }
}

TEST_CASE("a buffer that is not aligned is refused at every residue") {
  const std::string blob = Convert(PlainModel(ModelType_BPE, {{"ab", -1}}));
  const auto storage = std::make_unique<uint64_t[]>(blob.size() / 8 + 3);
  char* aligned = reinterpret_cast<char*>(storage.get());
  for (size_t shift = 0; shift <= 8; ++shift) {
    blob.copy(aligned + shift, blob.size());
    const SentencePieceLiteProcessor processor(std::string_view(aligned + shift, blob.size()));
    if (shift % 8 == 0) {
      CHECK(processor.status() == StatusCode::kOk);
      continue;
    }
    CHECK(processor.status() == StatusCode::kInvalidArgument);
    CHECK(processor.status_message() ==
          "not a .spm.fb model: the buffer is not aligned to 8 bytes");
  }
}

TEST_CASE("our identifier asks for a checksum that fits") {
  CheckForeign(RawWriter().Write({.identifier = "SPML"}), "its checksum is missing");
  std::string blob = Convert(PlainModel(ModelType_BPE, {{"ab", -1}}));
  blob[blob.rfind("ab")] = 'x';
  CheckForeign(blob, "its checksum does not match; it was altered after writing");
}

TEST_CASE("a model type that does not exist is refused") {
  CheckDamaged({.type = static_cast<ModelType>(0)},
               "model_type 0 is not one of UNIGRAM, BPE, WORD, CHAR (1 to 4)");
  CheckDamaged({.type = static_cast<ModelType>(5)},
               "model_type 5 is not one of UNIGRAM, BPE, WORD, CHAR (1 to 4)");
}

TEST_CASE("a model without pieces is refused") { CheckDamaged({.pieces = {}}, "it has no pieces"); }

TEST_CASE("vectors that are missing or of another length are refused") {
  SUBCASE("types") {
    CheckDamaged({.types = std::nullopt}, "types and pieces differ in length");
    CheckDamaged({.types = std::vector<int8_t>{PieceType_UNKNOWN}},
                 "types and pieces differ in length");
  }
  SUBCASE("scores") {
    CheckDamaged({.scores = std::nullopt}, "scores and pieces differ in length");
    CheckDamaged({.scores = std::vector<float>{0, 0, 0, 0}}, "scores and pieces differ in length");
  }
  SUBCASE("int_scores") {
    CheckDamaged({.type = ModelType_BPE}, "int_scores and pieces differ in length");
    RawBlob raw = RawBpe();
    raw.int_scores->pop_back();
    CheckDamaged(raw, "int_scores and pieces differ in length");
  }
  SUBCASE("float_scores and merge_ranks come together") {
    RawBlob raw = RawBpe();
    raw.float_scores = {0, -1, -2};
    CheckDamaged(raw, "float_scores, merge_ranks and pieces differ in length");
    raw.merge_ranks = {0, 1};
    CheckDamaged(raw, "float_scores, merge_ranks and pieces differ in length");
    raw.merge_ranks = {2, 1, 0};
    CHECK(LoadBytes(RawWriter().Write(raw)).message.empty());
    raw.float_scores.pop_back();
    CheckDamaged(raw, "float_scores, merge_ranks and pieces differ in length");
  }
  SUBCASE("is_direct_mapping") {
    RawBlob raw = RawBpe();
    raw.direct_mappings = {1};
    CheckDamaged(raw, "is_direct_mapping and pieces differ in length");
  }
}

TEST_CASE("special ids outside the vocabulary are refused") {
  CheckDamaged({.unk_id = 3}, "the special id 3 is outside the vocabulary");
  CheckDamaged({.bos_id = -2}, "the special id -2 is outside the vocabulary");
  CheckDamaged({.eos_id = std::numeric_limits<int>::max()},
               "the special id 2147483647 is outside the vocabulary");
  CheckDamaged({.pad_id = std::numeric_limits<int>::min()},
               "the special id -2147483648 is outside the vocabulary");
}

TEST_CASE("tries that are not sound are refused, each under its name") {
  const std::string trie = TrieBytes({{"ab", 3}});
  const std::string broken = trie.substr(0, trie.size() - 4);
  CheckDamaged({.pieces_trie = std::nullopt}, "pieces_trie_blob is not a sound trie");
  CheckDamaged({.pieces_trie = broken}, "pieces_trie_blob is not a sound trie");
  CheckDamaged({.pieces_trie = trie}, "pieces_trie_blob is not a sound trie");
  CheckDamaged({.user_defined_trie = broken}, "prefix_matcher_trie_blob is not a sound trie");
  CheckDamaged({.user_defined_trie = trie}, "prefix_matcher_trie_blob is not a sound trie");
  CheckDamaged({.pair_trie = broken}, "char_bigram_trie_blob is not a sound trie");
}

TEST_CASE("a trie whose offsets leave it is refused") {
  for (const std::vector<uint32_t>& start :
       {std::vector<uint32_t>{1u << 31}, std::vector<uint32_t>{256u << 10},
        std::vector<uint32_t>{1u << 10, 1000000u << 10},
        std::vector<uint32_t>{1u << 10, 2u << 10 | 1u << 8, 0, 7}}) {
    std::vector<uint32_t> units = start;
    units.resize(256);
    CheckDamaged({.pieces_trie = std::string(reinterpret_cast<const char*>(units.data()), 1024)},
                 "pieces_trie_blob is not a sound trie");
  }
}

TEST_CASE("a piece of a type that does not exist is refused") {
  CheckDamaged({.types = std::vector<int8_t>{PieceType_UNKNOWN, 7, 1}},
               "piece 1 has the unknown type 7");
  CheckDamaged({.types = std::vector<int8_t>{PieceType_UNKNOWN, 1, 0}},
               "piece 2 has the unknown type 0");
  CheckDamaged({.types = std::vector<int8_t>{PieceType_UNKNOWN, 1, -1}},
               "piece 2 has the unknown type -1");
}

TEST_CASE("a piece of 8,000 bytes is refused, one of 7,999 is taken") {
  RawBlob raw;
  raw.pieces[1] = std::string(8000, 'a');
  CheckDamaged(raw, "piece 1 has 8,000 bytes or more");
  raw.pieces[1].pop_back();
  CHECK(LoadBytes(RawWriter().Write(raw)).message.empty());
}

TEST_CASE("a second UNKNOWN piece is refused") {
  CheckDamaged({.types = std::vector<int8_t>{PieceType_UNKNOWN, 1, PieceType_UNKNOWN}},
               "more than one piece is of type UNKNOWN");
}

TEST_CASE("a Unigram score that is not finite is refused") {
  for (const float score : {std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(), std::nanf("")}) {
    CheckDamaged({.scores = std::vector<float>{0, -1, score}},
                 "piece 2 has a score that is not finite");
  }
}

TEST_CASE("byte pieces are all there and well spelled, or refused") {
  const std::string_view all_or_none =
      " are spelled <0x00> to <0xFF>; all of the 256 must be there, or none";
  const auto bytes = [](int count) {
    RawBlob raw;
    raw.types->resize(3 + static_cast<size_t>(count), PieceType_BYTE);
    raw.scores->resize(3 + static_cast<size_t>(count));
    std::vector<std::pair<std::string, uint32_t>> map = {{"<unk>", 0}, {"ab", 1}, {"b", 2}};
    for (int byte = 0; byte < count; ++byte) {
      raw.pieces.push_back(BytePiece(byte));
      map.emplace_back(BytePiece(byte), 3 + byte);
    }
    raw.pieces_trie = TrieBytes(std::move(map));
    return raw;
  };
  CHECK(LoadBytes(RawWriter().Write(bytes(256))).message.empty());
  CheckDamaged(bytes(255), "of 255 byte pieces 255" + std::string(all_or_none));
  CheckDamaged(bytes(1), "of 1 byte pieces 1" + std::string(all_or_none));

  SUBCASE("a 257th that no byte is spelled with") {
    RawBlob raw = bytes(256);
    raw.types->at(1) = PieceType_BYTE;
    CheckDamaged(raw, "of 257 byte pieces 256" + std::string(all_or_none));
  }
  SUBCASE("the trie finds one where the pieces have another") {
    RawBlob raw = bytes(256);
    raw.pieces[3 + 0x41] = "x";
    CheckDamaged(raw, "of 256 byte pieces 255" + std::string(all_or_none));
    raw.pieces[3 + 0x41] = "";
    CheckDamaged(raw, "of 256 byte pieces 255" + std::string(all_or_none));
  }
  SUBCASE("without an UNKNOWN piece they have to be there") {
    RawBlob raw = bytes(256);
    raw.types->at(0) = PieceType_NORMAL;
    CHECK(LoadBytes(RawWriter().Write(raw)).message.empty());
    raw = bytes(0);
    raw.types->at(0) = PieceType_NORMAL;
    CheckDamaged(raw, "it has neither an UNKNOWN nor byte pieces");
  }
}

TEST_CASE("a charsmap that is damaged is refused, under the name of its spec") {
  const std::string trie = TrieBytes({{"a", 0}});
  const auto check = [](std::string charsmap, std::string_view reason) {
    Outcome outcome = LoadBytes(RawWriter().Write({.charsmap = charsmap}));
    CHECK(outcome.code == StatusCode::kInternal);
    CHECK(outcome.message ==
          "precompiled_charsmap of normalizer_spec is damaged: " + std::string(reason));
    outcome = LoadBytes(RawWriter().Write({.denormalizer_charsmap = charsmap}));
    CHECK(outcome.message ==
          "precompiled_charsmap of denormalizer_spec is damaged: " + std::string(reason));
  };
  check("abc", "it is cut off");
  check("abcd", "it is cut off");
  check(CharsmapOf(trie, ""), "its trie is cut off");
  check(CharsmapOf(trie, "b"), "its last replacement has no end");
  check(CharsmapOf(trie.substr(4), std::string("b\0", 2)), "its trie is not sound");
  check(CharsmapOf(TrieBytes({{"a", 2}}), std::string("b\0", 2)), "its trie is not sound");
  CHECK(LoadBytes(RawWriter().Write({.charsmap = CharsmapOf(trie, std::string("b\0", 2))}))
            .message.empty());
}

TEST_CASE("the least score is taken over NORMAL pieces alone") {
  // "q" alone is unknown and costs the least score, -3, less ten: with "a" that
  // is worth more than the piece "aq". The other scores would turn it over.
  const auto processor = Load(PlainModel(ModelType_UNIGRAM, {{"a", 20},
                                                             {"aq", -3},
                                                             {"<s>", -900, PieceType_CONTROL},
                                                             {"x", -800, PieceType_UNUSED},
                                                             {"y", -700, PieceType_USER_DEFINED}}));
  CHECK(EncodeNormalized(processor, "aq") == std::vector<int>{1, 0});
}

}  // namespace sentencepiece::lite
