// Models and texts from strangers: an error or a right answer, in bounded time and memory.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

#include "checksum.h"
#include "random_text.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

constexpr int kMutations = 20000;

// Three models as they are in the world, where they are at hand (the folder of
// .model files in SPMLITE_TEST_MODELS), else three of random pieces.
std::vector<std::string> Blobs() {
  std::vector<std::string> blobs;
  const char* folder = std::getenv("SPMLITE_TEST_MODELS");
  for (const char* name :
       {"botchan_en_bpe_1000", "botchan_en_unigram_1000", "trained_bpe_ws_bf_uds"}) {
    if (folder == nullptr) break;
    const auto path = std::filesystem::path(folder) / (std::string(name) + ".model");
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    StatusOr<std::string> blob = ToFlatbuffer(bytes);
    if (blob.ok()) blobs.push_back(*std::move(blob));
  }
  MESSAGE(blobs.size() << " real models");
  RandomText random(7);
  for (const ModelType type : {ModelType_BPE, ModelType_UNIGRAM, ModelType_CHAR}) {
    if (blobs.size() == 3) break;
    TinyModel model = PlainModel(type, random.Pieces(1500));
    AddBytePieces(&model);
    for (int i = 0; i < 5; ++i) model.pieces[1 + i].type = PieceType_USER_DEFINED;
    model.normalizer->charsmap = Charsmap({{"e\xcc\x81", "\xc3\xa9"}, {"\t", " "}});
    blobs.push_back(Convert(model));
  }
  return blobs;
}

template <typename Number>
Number Read(const std::string& blob, size_t place) {
  Number number;
  std::memcpy(&number, blob.data() + place, sizeof(number));
  return number;
}

// Two fields of the root table change what they lead to, as vectors do. The layout is
// that of FlatBuffers (https://flatbuffers.dev/internals/).
void SwapVectors(RandomText* random, std::string* blob) {
  const auto table = Read<uint32_t>(*blob, 0);
  const size_t vtable = table - static_cast<size_t>(Read<int32_t>(*blob, table));
  const size_t table_size = Read<uint16_t>(*blob, vtable + 2);
  std::vector<size_t> fields;
  for (size_t at = 4; at < Read<uint16_t>(*blob, vtable); at += 2) {
    const size_t field = Read<uint16_t>(*blob, vtable + at);
    if (field != 0 && field + 4 <= table_size) fields.push_back(table + field);
  }
  const auto count = static_cast<uint32_t>(fields.size());
  const size_t one = fields[random->Below(count)], other = fields[random->Below(count)];
  const auto of_one = static_cast<uint32_t>(other + Read<uint32_t>(*blob, other) - one);
  const auto of_other = static_cast<uint32_t>(one + Read<uint32_t>(*blob, one) - other);
  std::memcpy(blob->data() + one, &of_one, sizeof(of_one));
  std::memcpy(blob->data() + other, &of_other, sizeof(of_other));
}

// Flips, zeroes, swaps or cuts off a few bytes.
std::string Mutate(const std::string& blob, RandomText* random) {
  std::string mutated = blob;
  const auto place = [&] { return random->Below(static_cast<uint32_t>(blob.size())); };
  switch (random->Below(6)) {
    case 0:
      mutated[place()] ^= static_cast<char>(1 << random->Below(8));
      break;
    case 1: {
      const size_t begin = place();
      const size_t size = std::min<size_t>(1 + random->Below(64), blob.size() - begin);
      mutated.replace(begin, size, size, '\0');
      break;
    }
    case 2:
      mutated.resize(place());
      break;
    case 3: {
      // Aligned words, so that offsets and lengths change places.
      const size_t size = 4 << random->Below(6);
      const size_t one = place() / 4 * 4, other = place() / 4 * 4;
      if (std::max(one, other) + size > blob.size()) break;
      mutated.replace(one, size, blob, other, size);
      mutated.replace(other, size, blob, one, size);
      break;
    }
    case 4:
      SwapVectors(random, &mutated);
      break;
    default:
      for (int i = 0; i < 8; ++i) mutated[place()] = static_cast<char>(random->Below(256));
  }
  return mutated;
}

void Use(const SentencePieceLiteProcessor& processor) {
  std::vector<int> ids;
  std::vector<TokenSpan> spans;
  std::string text;
  processor.EncodeWithSpans("I am a cat. \t\xe2\x96\x81\xe6\x97\xa5\xf0\x9f\xa6\x99 e\xcc\x81\xff",
                            OffsetUnit::kUtf16, &ids, &spans);
  processor.Decode(ids, &text);
  for (const int id : ids) processor.PieceToId(processor.IdToPiece(id));
}

// One block of units that leads back into itself for "a".
std::string CyclicTrie() {
  std::vector<uint32_t> units(256, 1u << 31);
  units[0] = (5 ^ 'a') << 10;
  units[5] = uint32_t{'a'} << 10 | 1u << 8 | 'a';
  return {reinterpret_cast<const char*>(units.data()), units.size() * sizeof(uint32_t)};
}

// A file whose tries are all that one.
std::string CyclicBlob(ModelType type) {
  flatbuffers::FlatBufferBuilder builder;
  const std::string trie = CyclicTrie();
  const auto bytes = [&](std::string_view content) {
    builder.ForceVectorAlignment(content.size(), 1, 8);
    return builder.CreateVector(reinterpret_cast<const uint8_t*>(content.data()), content.size());
  };
  const auto pieces = builder.CreateVectorOfStrings({"aa", "<unk>"});
  const auto scores = builder.CreateVector(std::vector<float>{-1, 0});
  const auto ranks = builder.CreateVector(std::vector<int32_t>{-1, 0});
  const auto types = builder.CreateVector(std::vector<int8_t>{PieceType_NORMAL, PieceType_UNKNOWN});
  const auto pieces_trie = bytes(trie);
  const auto pair_trie = bytes(trie);
  const auto charsmap = bytes(CharsmapOf(trie, std::string("b\0", 2)));
  const auto normalizer = CreateNormalizerSpec(builder, 0, charsmap);
  ModelProtoBuilder table(builder);
  table.add_model_type(type);
  table.add_pieces(pieces);
  table.add_scores(scores);
  table.add_int_scores(ranks);
  table.add_types(types);
  table.add_pieces_trie_blob(pieces_trie);
  table.add_char_bigram_trie_blob(pair_trie);
  table.add_unk_id(1);
  table.add_normalizer_spec(normalizer);
  builder.Finish(table.Finish());
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

// The most memory that this process has held, in bytes; 0 where that is not told.
double PeakMemory() {
#if __has_include(<sys/resource.h>)
  constexpr double kKilobyte = 1024;  // on Linux; macOS counts bytes
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * kKilobyte;
#else
  return 0;
#endif
}

// Words of a few letters, or one word of that size.
std::string LongText(bool of_words, size_t size) {
  if (!of_words) return std::string(size, 'a');
  RandomText random(30);
  std::string text;
  while (text.size() < size) {
    text.append(1 + random.Below(9), static_cast<char>('a' + random.Below(3))) += ' ';
  }
  text.resize(size);
  return text;
}

}  // namespace

TEST_CASE("20,000 altered files are refused for their checksum, or are safe without it") {
  RandomText random(20);
  const std::vector<std::string> blobs = Blobs();
  REQUIRE(blobs.size() == 3);
  int altered = 0, refused = 0, loaded = 0;
  for (int i = 0; altered < kMutations; ++i) {
    const std::string& blob = blobs[static_cast<size_t>(i) % blobs.size()];
    const std::string mutated = Mutate(blob, &random);
    if (mutated == blob) continue;
    ++altered;
    const SentencePieceLiteProcessor checked{std::string_view(mutated)};
    refused += checked.status() != StatusCode::kOk && !checked.status_message().empty();
    const SentencePieceLiteProcessor unchecked{std::string_view(mutated), Checks::kNoChecksum};
    if (unchecked.status() != StatusCode::kOk) continue;
    ++loaded;
    Use(unchecked);
  }
  MESSAGE(altered << " altered files, " << refused << " refused; without the checksum " << loaded
                  << " loaded");
  CHECK(refused == altered);
  CHECK(loaded > 0);
}

TEST_CASE("tries that lead back into themselves give an answer in time") {
  const std::string text(20000, 'a');
  for (const ModelType type : {ModelType_UNIGRAM, ModelType_BPE, ModelType_WORD, ModelType_CHAR}) {
    const SentencePieceLiteProcessor processor(std::make_shared<std::string>(CyclicBlob(type)));
    REQUIRE(processor.status() == StatusCode::kOk);
    std::vector<std::string_view> pieces;
    std::vector<int> ids;
    CHECK(processor.EncodeNormalized(text, &ids, &pieces) == StatusCode::kOk);
    std::string joined;
    for (const std::string_view piece : pieces) joined += piece;
    CHECK(joined == text);
    CHECK(processor.Encode(text, &ids) == StatusCode::kOk);
  }
}

TEST_CASE("a replacement of 100 KB is taken as it is") {
  TinyModel model = PlainModel(ModelType_UNIGRAM, {{"x", -1}});
  model.normalizer->charsmap = Charsmap({{"a", std::string(100000, 'x')}});
  CHECK(Normalize(Load(model), std::string(100, 'a')).size() == 100 * 100000);
}

TEST_CASE("texts of no bytes come to nothing, in every model") {
  for (const ModelType type : {ModelType_UNIGRAM, ModelType_BPE, ModelType_WORD, ModelType_CHAR}) {
    TinyModel model = PlainModel(type, {{"a", -1}});
    model.normalizer = TinyNormalizerSpec{};
    const auto processor = Load(model);
    CHECK(Normalize(processor, "").empty());
    CHECK(Encode(processor, "").empty());
    CHECK(Encode(processor, std::string_view()).empty());
    CHECK(Decode(processor, {}).empty());
  }
}

// SPMLITE_TEST_LONG_TEXT is the size in MB; SPMLITE_TEST_LONG_TEXT_IS is bpe or unigram,
// words or letters: each takes a process of its own, so that its memory can be told.
TEST_CASE("a text of hundreds of megabytes is taken in a bounded multiple of its size") {
  const char* megabytes = std::getenv("SPMLITE_TEST_LONG_TEXT");
  const char* kind = std::getenv("SPMLITE_TEST_LONG_TEXT_IS");
  if (megabytes == nullptr || kind == nullptr) {
    MESSAGE("skipped: it takes minutes and gigabytes; asked for by SPMLITE_TEST_LONG_TEXT");
    return;
  }
  const std::string_view asked = kind;
  const bool is_bpe = asked.find("bpe") != std::string_view::npos;
  TinyModel model =
      PlainModel(is_bpe ? ModelType_BPE : ModelType_UNIGRAM,
                 {{"a", -3}, {"b", -3}, {"aa", -2}, {"bb", -1}, {MARK, -3}, {MARK "a", -1}});
  AddBytePieces(&model);
  const auto processor = Load(model);
  const std::string text = LongText(asked.find("words") != std::string_view::npos,
                                    1000000 * std::strtoull(megabytes, nullptr, 10));
  const double before = PeakMemory();
  std::vector<int> ids;
  REQUIRE(processor.Encode(text, &ids) == StatusCode::kOk);
  const double factor = (PeakMemory() - before) / static_cast<double>(text.size());
  MESSAGE(std::string(asked) << ", " << text.size() << " bytes: " << factor
                             << " bytes of memory for each");
  const bool comes_back = Decode(processor, ids) == text;  // too long to be shown
  CHECK(comes_back);
}

TEST_CASE("ids at the limits of 32 bits are looked up as what they are: none") {
  const auto processor = Load(PlainModel(ModelType_UNIGRAM, {{"a", -1}}));
  for (const int id : {std::numeric_limits<int>::min(), -1, 2, std::numeric_limits<int>::max()}) {
    CHECK(processor.IdToPiece(id) == "<unk>");
    CHECK(processor.GetScore(id) == 0);
    CHECK(processor.piece_type(id) == -1);
    std::string text;
    const std::vector<int> ids = {id};
    CHECK(processor.Decode(ids, &text) == StatusCode::kOutOfRange);
  }
}

TEST_CASE("a text that is eighteen times as long once normalized") {
  // U+FDFA under nfkc: eighteen characters of 33 bytes.
  constexpr std::string_view kCharacter = "\xef\xb7\xba";
  const std::string replacement =
      "\xd8\xb5\xd9\x84\xd9\x89 \xd8\xa7\xd9\x84\xd9\x84\xd9\x87 "
      "\xd8\xb9\xd9\x84\xd9\x8a\xd9\x87 \xd9\x88\xd8\xb3\xd9\x84\xd9\x85";
  TinyModel model = PlainModel(ModelType_BPE, {{"\xd9\x84", -1}});
  model.normalizer->charsmap = Charsmap({{std::string(kCharacter), replacement}});
  model.normalizer->escape_whitespaces = false;
  AddBytePieces(&model);
  const auto processor = Load(model);
  std::string text, expected;
  for (int i = 0; i < 100000; ++i) {
    text += kCharacter;
    expected += replacement;
  }
  CHECK(Normalize(processor, text) == expected);
  std::vector<int> ids;
  std::vector<TokenSpan> spans;
  CHECK(processor.EncodeWithSpans(text, OffsetUnit::kByte, &ids, &spans) == StatusCode::kOk);
  CHECK(Decode(processor, ids) == expected);
  CHECK(spans.back().end == text.size());
}

TEST_CASE("vocabularies of none and of one") {
  CHECK_FALSE(RefusalOf({}).empty());
  CHECK_FALSE(RefusalOf({.pieces = {kUnknownPiece}}).empty());
  const auto processor =
      Load({.type = ModelType_BPE, .pieces = {kUnknownPiece}, .normalizer = PlainSpec()});
  CHECK(Encode(processor, "abc") == std::vector<int>{0});
  CHECK(Decode(processor, {0}) == " \xe2\x81\x87 ");
}

TEST_CASE("a piece of 100 KB is refused by its size") {
  const std::string refusal =
      RefusalOf(PlainModel(ModelType_UNIGRAM, {{"a", -1}, {std::string(100000, 'b'), -1}}));
  CHECK(refusal.find("piece 2") != std::string::npos);
  CHECK(refusal.find("bytes") != std::string::npos);
}

}  // namespace sentencepiece::lite
