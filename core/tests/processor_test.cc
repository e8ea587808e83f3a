// The public contract: seed 001's calls and what they answer, whatever they are given.

#include <doctest/doctest.h>

#include <future>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sentencepiece_extra.h"
#include "sentencepiece_lite.h"
#include "sentencepiece_model_converters.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

// Hello-world pieces for both kinds of model that most people have.
TinyModel Greeting(ModelType type) {
  TinyModel model = PlainModel(type, {{"<s>", 0, PieceType_CONTROL},
                                      {"</s>", 0, PieceType_CONTROL},
                                      {"<pad>", 0, PieceType_CONTROL}});
  float score = 0;
  for (const char* piece : {"lo", MARK "w", "or", "ld", MARK "h", "el", MARK "hel", MARK "hello",
                            "orld", MARK "world", MARK, "h", "e", "l", "o", "w", "r", "d"}) {
    model.pieces.push_back({piece, --score});
  }
  model.normalizer = TinyNormalizerSpec{};
  return model;
}

std::string GreetingBlob() { return Convert(Greeting(ModelType_BPE)); }

// What a failed call must leave behind: nothing.
struct Outputs {
  std::string text = "before";
  std::vector<size_t> offsets = {1};
  std::vector<int> ids = {1};
  std::vector<std::string_view> views = {"before"};
  std::vector<TokenSpan> spans = {{0, 1}};
};

}  // namespace

TEST_CASE("the quick start") {
  const std::string mapped = GreetingBlob();
  const std::string_view model_view = mapped;

  // As in the seed, but for the mapping of a file.
  sentencepiece::lite::SentencePieceLiteProcessor processor(model_view);
  REQUIRE(processor.status() == sentencepiece::lite::StatusCode::kOk);

  std::vector<int> ids;
  if (processor.Encode("hello world", &ids) == sentencepiece::lite::StatusCode::kOk) {
    CHECK(ids.size() == 2);
  }
  std::string text;
  if (processor.Decode(ids, &text) == sentencepiece::lite::StatusCode::kOk) {
    CHECK(text == "hello world");
  }
}

TEST_CASE("a model converted on the fly") {
  const std::string model_proto = Serialize(Greeting(ModelType_UNIGRAM));
  auto fb_blob_or = sentencepiece::lite::ToFlatbuffer(model_proto);
  REQUIRE(fb_blob_or.ok());
  auto shared_fb_model = std::make_shared<std::string>(std::move(*fb_blob_or));
  sentencepiece::lite::SentencePieceLiteProcessor processor(shared_fb_model);
  std::vector<int> ids;
  processor.Encode("hello world", &ids);
  CHECK(Decode(processor, ids) == "hello world");
}

TEST_CASE("a batch is encoded by one processor from many threads") {
  const std::string model_data = GreetingBlob();
  sentencepiece::lite::SentencePieceLiteProcessor processor(model_data);
  std::vector<std::string> batch = {"hello world", "world hello", "", "hello"};
  std::vector<std::future<std::vector<int>>> futures;

  for (const auto& text : batch) {
    futures.push_back(std::async(std::launch::async, [&processor, &text]() {
      std::vector<int> ids;
      processor.Encode(text, &ids);
      return ids;
    }));
  }

  std::vector<std::string> decoded;
  for (auto& f : futures) {
    std::vector<int> ids = f.get();
    decoded.push_back(Decode(processor, ids));
  }
  CHECK(decoded == batch);
}

TEST_CASE("a document is encoded chunk by chunk") {
  for (const ModelType type : {ModelType_BPE, ModelType_UNIGRAM}) {
    const auto processor = Load(Greeting(type));
    const std::string document = "hello world  hello\tworld held low";
    std::string normalized;
    processor.Normalize(document, &normalized);

    std::vector<std::string_view> chunks;
    processor.PretokenizeAtSafeBoundaries(normalized, &chunks);
    std::vector<std::vector<int>> chunk_results(chunks.size());
    for (size_t i = 0; i < chunks.size(); ++i) {
      processor.EncodeNormalized(chunks[i], &chunk_results[i]);
    }
    std::vector<int> ids;
    for (const auto& chunk_ids : chunk_results) {
      ids.insert(ids.end(), chunk_ids.begin(), chunk_ids.end());
    }
    CHECK(ids == Encode(processor, document));
  }
}

TEST_CASE("the processor shares a buffer that it is given to share") {
  auto buffer = std::make_shared<std::string>(GreetingBlob());
  const std::weak_ptr<std::string> watched = buffer;
  {
    const SentencePieceLiteProcessor processor(std::move(buffer));
    CHECK_FALSE(watched.expired());
    CHECK(Encode(processor, "hello").size() == 1);
  }
  CHECK(watched.expired());
}

TEST_CASE("many processors come and go") {
  const std::string blob = GreetingBlob();
  std::vector<int> ids;
  for (int i = 0; i < 1000; ++i) {
    const SentencePieceLiteProcessor processor{std::string_view(blob)};
    REQUIRE(processor.Encode("hello world", &ids) == StatusCode::kOk);
  }
  CHECK(ids.size() == 2);
}

TEST_CASE("without a model every call says so") {
  const std::string foreign = "no model at all, just text";
  const SentencePieceLiteProcessor null_processor{std::shared_ptr<std::string>()};
  const SentencePieceLiteProcessor bad_processor{std::string_view(foreign)};
  CHECK(null_processor.status() == StatusCode::kInvalidArgument);
  CHECK(null_processor.status_message() == "not a .spm.fb model: it is empty");
  CHECK(bad_processor.status() == StatusCode::kInvalidArgument);
  for (const auto* processor : {&null_processor, &bad_processor}) {
    const auto failed = StatusCode::kFailedPrecondition;
    Outputs out;
    const std::vector<int> ids = {0};
    const std::vector<std::string_view> pieces = {"a"};
    CHECK(processor->Normalize("a", &out.text, &out.offsets) == failed);
    CHECK_FALSE(processor->CanSkipNormalization("a"));
    CHECK_FALSE(processor->CanSkipNormalization(""));
    CHECK(processor->Encode("a", &out.ids) == failed);
    CHECK(processor->EncodeWithSpans("a", OffsetUnit::kByte, &out.ids, &out.spans) == failed);
    CHECK(processor->EncodeNormalized("a", &out.ids, &out.views) == failed);
    CHECK(processor->EncodeNormalizedChunk("a", &out.ids, &out.views) == failed);
    UniformSampler sampler(1);
    CHECK(processor->SampleNormalized("a", 1, sampler, &out.ids, &out.views) == failed);
    CHECK(processor->PretokenizeAtSafeBoundaries("a", &out.views) == failed);
    CHECK(processor->PretokenizeAtSafeBoundaries("a", [](std::string_view) {}) == failed);
    CHECK(processor->Decode(ids, &out.text, &out.views) == failed);
    CHECK(processor->DecodePieces(pieces, &out.text) == failed);
    StreamingDecoder decoder(*processor);
    CHECK(decoder.Add(0, &out.text) == failed);
    CHECK(decoder.Finish(&out.text) == failed);
    CHECK(processor->PieceToId("a") == -1);
    CHECK(processor->IdToPiece(0) == "<unk>");
    CHECK(processor->GetScore(0) == 0);
    CHECK(processor->unk_id() == -1);
    CHECK(processor->bos_id() == -1);
    CHECK(processor->eos_id() == -1);
    CHECK(processor->pad_id() == -1);
    CHECK(processor->vocab_size() == 0);
    CHECK(processor->piece_type(0) == -1);
    CHECK(processor->model_type() == -1);
  }
}

TEST_CASE("a failed call leaves its outputs empty") {
  const SentencePieceLiteProcessor processor{std::shared_ptr<std::string>()};
  SUBCASE("Normalize") {
    Outputs out;
    processor.Normalize("a", &out.text, &out.offsets);
    CHECK(out.text.empty());
    CHECK(out.offsets.empty());
  }
  SUBCASE("Encode") {
    Outputs out;
    processor.Encode("a", &out.ids);
    CHECK(out.ids.empty());
  }
  SUBCASE("EncodeWithSpans") {
    Outputs out;
    processor.EncodeWithSpans("a", OffsetUnit::kByte, &out.ids, &out.spans);
    CHECK(out.ids.empty());
    CHECK(out.spans.empty());
  }
  SUBCASE("EncodeNormalized") {
    Outputs out;
    processor.EncodeNormalized("a", &out.ids, &out.views);
    CHECK(out.ids.empty());
    CHECK(out.views.empty());
  }
  SUBCASE("PretokenizeAtSafeBoundaries") {
    Outputs out;
    processor.PretokenizeAtSafeBoundaries("a", &out.views);
    CHECK(out.views.empty());
  }
  SUBCASE("Decode") {
    Outputs out;
    const std::vector<int> ids = {0};
    processor.Decode(ids, &out.text, &out.views);
    CHECK(out.text.empty());
    CHECK(out.views.empty());
  }
}

TEST_CASE("null outputs are refused") {
  const auto processor = Load(Greeting(ModelType_BPE));
  const auto refused = StatusCode::kInvalidArgument;
  std::vector<int> ids = {4};
  std::vector<TokenSpan> spans;
  const std::vector<std::string_view> pieces = {"a"};
  UniformSampler sampler(1);
  CHECK(processor.Normalize("a", nullptr) == refused);
  CHECK(processor.Encode("a", nullptr) == refused);
  CHECK(processor.Encode("", nullptr) == refused);
  CHECK(processor.EncodeWithSpans("a", OffsetUnit::kByte, nullptr, &spans) == refused);
  CHECK(processor.EncodeWithSpans("a", OffsetUnit::kByte, &ids, nullptr) == refused);
  CHECK(processor.EncodeNormalized("a", nullptr) == refused);
  CHECK(processor.SampleNormalized("a", 1, sampler, nullptr) == refused);
  CHECK(processor.PretokenizeAtSafeBoundaries(
            "a", static_cast<std::vector<std::string_view>*>(nullptr)) == refused);
  CHECK(processor.Decode(ids, nullptr) == refused);
  CHECK(processor.DecodePieces(pieces, nullptr) == refused);
}

TEST_CASE("a text beyond 2 GiB is refused, unread") {
  // Only its length is looked at, so that there need be no such text.
  const auto processor = Load(Greeting(ModelType_BPE));
  const std::string_view endless("a", size_t{std::numeric_limits<int32_t>::max()});
  Outputs out;
  CHECK(processor.Normalize(endless, &out.text, &out.offsets) == StatusCode::kInvalidArgument);
  CHECK(processor.EncodeNormalized(endless, &out.ids) == StatusCode::kInvalidArgument);
  CHECK(processor.PretokenizeAtSafeBoundaries(endless, &out.views) == StatusCode::kInvalidArgument);
}

TEST_CASE("pieces have ids, scores and types; what is none has the unknown's") {
  const TinyModel model = Greeting(ModelType_BPE);
  const auto processor = Load(model);
  CHECK(processor.vocab_size() == model.pieces.size());
  for (size_t i = 0; i < model.pieces.size(); ++i) {
    const int id = static_cast<int>(i);
    CHECK(processor.IdToPiece(id) == model.pieces[i].piece);
    CHECK(processor.PieceToId(model.pieces[i].piece) == id);
    CHECK(processor.GetScore(id) == model.pieces[i].score);
    CHECK(processor.piece_type(id) == model.pieces[i].type);
  }
  for (const int id : {-1, static_cast<int>(model.pieces.size()), std::numeric_limits<int>::min(),
                       std::numeric_limits<int>::max()}) {
    CHECK(processor.IdToPiece(id) == "<unk>");
    CHECK(processor.GetScore(id) == 0);
    CHECK(processor.piece_type(id) == -1);
  }
  for (const std::string_view piece : {"", "hello", "no piece", "<S>"}) {
    CHECK(processor.PieceToId(piece) == processor.unk_id());
  }
}

TEST_CASE("special ids come of the names of their pieces") {
  TinyModel model = Greeting(ModelType_UNIGRAM);
  const auto ids = [](const TinyModel& tiny) {
    const auto processor = Load(tiny);
    return std::vector<int>{processor.unk_id(), processor.bos_id(), processor.eos_id(),
                            processor.pad_id()};
  };
  CHECK(ids(model) == std::vector<int>{0, 1, 2, 3});
  SUBCASE("their own names") {
    model.pieces[0].piece = "[UNK]";
    model.pieces[1].piece = "[BOS]";
    model.pieces[3].piece = "[PAD]";
    model.unk_piece = "[UNK]";
    model.bos_piece = "[BOS]";
    model.pad_piece = "[PAD]";
    CHECK(ids(model) == std::vector<int>{0, 1, 2, 3});
  }
  SUBCASE("an empty name is the usual one") {
    model.bos_piece = "";
    CHECK(ids(model) == std::vector<int>{0, 1, 2, 3});
  }
  SUBCASE("a piece of another type is none") {
    model.pieces[1].type = PieceType_NORMAL;
    model.pieces[2].type = PieceType_USER_DEFINED;
    model.pieces[3].piece = "[PAD]";
    CHECK(ids(model) == std::vector<int>{0, -1, -1, -1});
  }
}

TEST_CASE("control pieces typed in a text are plain text") {
  for (const ModelType type : {ModelType_UNIGRAM, ModelType_BPE, ModelType_CHAR, ModelType_WORD}) {
    const auto processor = Load(Greeting(type));
    for (const std::string_view text : {"<s>", "</s>", "<unk>", "<pad>", "hello<s>"}) {
      for (const int id : Encode(processor, text)) {
        CHECK(processor.piece_type(id) != PieceType_CONTROL);
      }
    }
  }
}

TEST_CASE("row 8.7: a NUL piece is no obstacle where byte fallback is on") {
  TinyModel model = PlainModel(ModelType_UNIGRAM, {{std::string("\0", 1), -1}, {"a", -1}});
  CHECK_FALSE(RefusalOf(model).empty());
  AddBytePieces(&model);
  const auto processor = Load(model);
  CHECK(processor.piece_type(1) == PieceType_UNUSED);
  CHECK(processor.IdToPiece(1) == std::string_view("\0", 1));
  CHECK(EncodeNormalized(processor, std::string_view("\0", 1)) ==
        std::vector<int>{processor.PieceToId("<0x00>")});
}

TEST_CASE("row 8.9: byte pieces without byte fallback are refused") {
  TinyModel model = PlainModel(ModelType_UNIGRAM, {{"a", -1}});
  AddBytePieces(&model);
  model.byte_fallback = false;
  CHECK_FALSE(RefusalOf(model).empty());
}

TEST_CASE("row 8.5: a missing normalizer_spec means the defaults") {
  TinyModel model = Greeting(ModelType_UNIGRAM);
  model.normalizer.reset();
  const auto processor = Load(model);
  CHECK(Normalize(processor, " hello  world ") == MARK "hello" MARK "world");
}

TEST_CASE("a blob that was checked before may be loaded without checks") {
  const std::string blob = GreetingBlob();
  for (const Checks checks : {Checks::kAll, Checks::kNoChecksum, Checks::kNone}) {
    const SentencePieceLiteProcessor processor{std::string_view(blob), checks};
    CHECK(processor.status() == StatusCode::kOk);
    CHECK(Decode(processor, Encode(processor, "hello world")) == "hello world");
  }
  std::string altered = blob;
  altered[altered.rfind("orld")] = 'X';
  CHECK(SentencePieceLiteProcessor{std::string_view(altered)}.status() ==
        StatusCode::kInvalidArgument);
  CHECK(SentencePieceLiteProcessor{std::string_view(altered), Checks::kNoChecksum}.status() ==
        StatusCode::kOk);
}

}  // namespace sentencepiece::lite
