// `.spm`: a model as text, to bytes and back, and what is said about text that is none.

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base64.h"
#include "decimal.h"
#include "model_proto.h"
#include "sentencepiece_model_converters.h"
#include "spm_text.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

// What a reader of plain files must be told.
constexpr SpmTextAdditions kBpe = {.fields = "trainer_spec.model_type: BPE"};

std::string Written(std::string_view model, const SpmTextStyle& style = {}) {
  StatusOr<std::string> text = ModelToSpmText(model, style);
  CHECK_MESSAGE(text.ok(), std::string(text.message()));
  return *std::move(text);
}

std::string Read(std::string_view text, const SpmTextAdditions& additions = {}) {
  StatusOr<std::string> model = SpmTextToModel(text, additions);
  CHECK_MESSAGE(model.ok(), std::string(model.message()));
  return *std::move(model);
}

std::string FaultOf(std::string_view text, const SpmTextAdditions& additions = kBpe) {
  const StatusOr<std::string> model = SpmTextToModel(text, additions);
  CHECK(model.code() == StatusCode::kInvalidArgument);
  return std::string(model.message());
}

bool Has(std::string_view text, std::string_view part) {
  const bool has = text.find(part) != std::string_view::npos;
  CHECK_MESSAGE(has, std::string(text), " lacks ", std::string(part));
  return has;
}

std::string Decimal(float value) {
  std::string text;
  AppendDecimal(value, &text);
  return text;
}

std::string Base64(std::string_view bytes) {
  std::string text;
  AppendBase64(bytes, &text);
  return text;
}

// A plain file of pieces with the score 0.
std::string PlainText(const std::vector<TinyPiece>& pieces) {
  std::string text;
  for (const TinyPiece& piece : pieces) {
    text += Base64(piece.piece) + " " + Decimal(piece.score) + " " + std::to_string(piece.type);
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a model is written a line for each id, below what its specs say") {
  TinyModel model =
      PlainModel(ModelType_BPE, {{"a", -1.5f}, {MARK "b", 2, PieceType_USER_DEFINED}});
  model.unk_surface = "\"?\\\n";
  const std::string text = Written(Serialize(model));
  CHECK(Has(text, "# .spm 1\n# pieces: 3\n"));
  CHECK(Has(text, "# trainer_spec.model_type: BPE\n"));
  CHECK(Has(text, "# trainer_spec.unk_surface: \"\\\"?\\\\\\n\"\n"));
  CHECK(Has(text, "# normalizer_spec.add_dummy_prefix: false\n"));
  CHECK(text.ends_with("\nPHVuaz4= 0.0 2\nYQ== -1.5 1\n4paBYg== 2.0 4\n"));
}

TEST_CASE("what is read is what was written") {
  TinyModel model = PlainModel(ModelType_UNIGRAM, {{"a", -0.1f}, {"b", 1e-30f, PieceType_UNUSED}});
  AddBytePieces(&model);
  model.treat_whitespace_as_suffix = true;
  model.unk_surface = std::string("\xff\0 ", 3);
  model.bos_piece = "";
  model.normalizer->charsmap = std::string("\0\1\2\xff", 4);
  model.denormalizer = TinyNormalizerSpec{.charsmap = "map"};
  const std::string serialized = Serialize(model);
  const std::string text = Written(serialized);
  const std::string again = Read(text);
  CHECK(Written(again) == text);
  const SerializedModel one = *ReadModelProto(serialized);
  const SerializedModel other = *ReadModelProto(again);
  REQUIRE(one.pieces.size() == other.pieces.size());
  for (size_t id = 0; id < one.pieces.size(); ++id) {
    CHECK(one.pieces[id].piece == other.pieces[id].piece);
    CHECK(one.pieces[id].type == other.pieces[id].type);
    CHECK(std::bit_cast<uint32_t>(one.pieces[id].score) ==
          std::bit_cast<uint32_t>(other.pieces[id].score));
  }
  CHECK(other.trainer_spec.unk_surface == *model.unk_surface);
  CHECK(other.trainer_spec.bos_piece == std::string_view());
  CHECK(other.trainer_spec.treat_whitespace_as_suffix);
  CHECK(other.normalizer_spec.precompiled_charsmap == model.normalizer->charsmap);
  CHECK(other.denormalizer_spec.precompiled_charsmap == model.denormalizer->charsmap);
}

TEST_CASE("fields that have no name here are kept") {
  ProtoWriter spec;
  spec.AddVarint(3, ModelType_BPE);
  spec.AddVarint(3, 77);  // no algorithm that is known: protobuf keeps it apart
  spec.AddBytes(999, std::string_view("future"));
  ProtoWriter message;
  message.AddBytes(2, std::string_view(spec.bytes()));
  message.AddBytes(4, std::string_view("samples"));
  const std::string pieces = Read(PlainText({kUnknownPiece}), kBpe);
  const std::string model = pieces.substr(0, pieces.find("<unk>") + 12) + message.bytes();
  const std::string text = Written(model);
  CHECK(Has(text, "# trainer_spec.model_type: BPE\n# trainer_spec.unknown_fields: "));
  CHECK(Has(text, "# model.unknown_fields: "));
  CHECK(Written(Read(text)) == text);
}

TEST_CASE("a converter takes it as it takes a .model") {
  const std::string model =
      Serialize(PlainModel(ModelType_BPE, {{"a", -1}, {"b", -2}, {"ab", -3}}));
  const std::string text = Written(model);
  const StatusOr<std::string> blob = ToFlatbuffer(text);
  REQUIRE(blob.ok());
  CHECK(*blob == *ToFlatbuffer(model));
  CHECK(ToFlatbuffer("PHVuaz4= 0.0\n").message() ==
        std::string_view("line 1 has no type, 1 to 6: without it, what is matched verbatim cannot "
                         "be told from what is merged"));
}

TEST_CASE("a score is the shortest decimal that gives it back") {
  CHECK(Decimal(0.0f) == "0.0");
  CHECK(Decimal(-0.0f) == "-0.0");
  CHECK(Decimal(-1.0f) == "-1.0");
  CHECK(Decimal(-255999.0f) == "-255999.0");
  CHECK(Decimal(0.1f) == "0.1");
  CHECK(Decimal(-3.5449328422546387f) == "-3.5449328");
  CHECK(Decimal(0.0001f) == "0.0001");
  CHECK(Decimal(0.00001f) == "1e-05");
  CHECK(Decimal(-1e9f) == "-1000000000.0");
  CHECK(Decimal(1e16f) == "1e+16");
  CHECK(Decimal(std::numeric_limits<float>::max()) == "3.4028235e+38");
  CHECK(Decimal(std::numeric_limits<float>::denorm_min()) == "1e-45");
  CHECK(Decimal(-std::numeric_limits<float>::infinity()) == "-inf");

  std::mt19937 random(1);
  size_t looked_at = 0;
  for (int i = 0; i < 300'000; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    const auto value = std::bit_cast<float>(bits);
    if (value != value) continue;
    ++looked_at;
    float again = 0;
    REQUIRE(ParseDecimal(Decimal(value), &again));
    REQUIRE(std::bit_cast<uint32_t>(again) == bits);
  }
  std::printf("%zu scores, bit for bit\n", looked_at);
}

TEST_CASE("a score in more digits than needed is the nearest float32") {
  float value = 0;
  REQUIRE(ParseDecimal("-3.5449328422546387", &value));
  CHECK(value == -3.5449328422546387f);
  // Halfway between two; by way of a double it would go the wrong way.
  REQUIRE(ParseDecimal("1.00000017881393432617187499", &value));
  CHECK(value == 1.00000011920928955078125f);
  for (const char* none :
       {"", "-", "1,5", "1.5f", "0x10", "1e99", "+1", " 1", "nan()", "infinity"}) {
    CHECK_MESSAGE(!ParseDecimal(none, &value), none);
  }
}

TEST_CASE("base64 comes back, and what is none is refused") {
  for (const char* text : {"", "f", "fo", "foo", "foob", "\xff\x01"}) {
    std::string bytes;
    CHECK(AppendFromBase64(Base64(text), &bytes));
    CHECK(bytes == std::string_view(text));
  }
  CHECK(Base64("foob") == "Zm9vYg==");
  for (const char* none : {"Zg", "Zg=", "Z===", "Zg=x", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "===="}) {
    std::string bytes;
    CHECK_MESSAGE(!AppendFromBase64(none, &bytes), none);
  }
}

TEST_CASE("a line that is wrong is named by its number") {
  const std::string good = "PHVuaz4= 0.0 2\n# a comment\n";
  CHECK(Has(FaultOf(good + "\nYQ== 0.0 1\n"), "line 3 is empty"));
  CHECK(Has(FaultOf(good + "YQ==\n"), "line 3 has no score"));
  CHECK(Has(FaultOf(good + "YQ== 0.0\n"), "line 3 has no type"));
  CHECK(Has(FaultOf(good + "YQ== 0.0 # a\n"), "line 3 has no type"));
  CHECK(
      Has(FaultOf("IQ== 0\nIg== 1\n"), "line 1 has a piece and a rank and no type, as .tiktoken"));
  CHECK(Has(FaultOf(good + "YQ= 0.0 1\n"), "line 3 has a piece that is no base64"));
  CHECK(Has(FaultOf(good + "7aCA 0.0 1\n"), "line 3 has a piece that is no UTF-8"));
  CHECK(Has(FaultOf(good + "YQ== 0,5 1\n"), "line 3 has the score 0,5"));
  CHECK(Has(FaultOf(good + "YQ== 1e999 1\n"), "line 3 has the score 1e999"));
  CHECK(Has(FaultOf(good + "YQ== 0.0 7\n"), "line 3 has the type 7"));
  CHECK(Has(FaultOf(good + "YQ== 0.0 11\n"), "line 3 has the type 11"));
  CHECK(Has(FaultOf(good + "YQ== 0.0 1 1\n"), "line 3 goes on after the type"));
  CHECK(Has(FaultOf("# a comment\n"), "the file has no pieces"));
  CHECK(FaultOf("# pieces: 2\n") == "the header announces 2 pieces, and there are 0");
  CHECK(FaultOf("# pieces: 2\n" + good) == "the header announces 2 pieces, and there are 1");
}

TEST_CASE("a piece may be there twice where the oracle allows it") {
  const std::string twice = "# x\nPHVuaz4= 0.0 2\nYQ== 0.0 1\nYg== 0.0 1\nYQ== -1.0 4\n";
  CHECK(FaultOf(twice) == "line 5 has the piece \"a\", as line 3 has");
  Read("PHVuaz4= 0.0 2\nYQ== 0.0 1\nYQ== 0.0 3\n", kBpe);
}

TEST_CASE("what a header says wrong is named") {
  const std::string piece = "PHVuaz4= 0.0 2\n";
  const auto fault = [&](std::string_view field) {
    return FaultOf("# .spm 1\n# " + std::string(field) + "\n" + piece, {});
  };
  CHECK(Has(fault("trainer_spec.model_typ: BPE"),
            "line 2 trainer_spec.model_typ is no field of a model"));
  CHECK(Has(fault("trainer_spec.model_type: bpe"), "is none of UNIGRAM, BPE, WORD and CHAR"));
  CHECK(Has(fault("trainer_spec.byte_fallback: yes"), "is neither true nor false"));
  CHECK(Has(fault("trainer_spec.vocab_size: 99999999999"), "is no number that the field can hold"));
  CHECK(Has(fault("trainer_spec.character_coverage: x"), "is no number that the field can hold"));
  CHECK(Has(fault("trainer_spec.unk_piece: <unk>"), "is no text between quotes"));
  CHECK(Has(fault("trainer_spec.unk_piece: \"a\\q\""), "is no text between quotes"));
  CHECK(Has(fault("trainer_spec.unk_piece: \"a\"b\""), "is no text between quotes"));
  CHECK(Has(fault("normalizer_spec.precompiled_charsmap: a"), "is no base64"));
  CHECK(Has(fault("normalizer_spec.precompiled_charsmap: rule:nfkc"),
            "names a charsmap that is not at hand here"));
  CHECK(Has(fault("trainer_spec.unknown_fields: !"), "is no base64"));
  CHECK(Has(fault("trainer_spec.unknown_fields: /w=="), "holds no fields: a number is cut off"));
  CHECK(Has(fault("trainer_spec.unknown_fields: GAI="), "holds a field that has a name"));
  CHECK(Has(fault("model.unknown_fields: CgMKAWE="), "holds a field that has a name"));
  CHECK(Has(fault("pieces: many"), "has a number of pieces that is none"));
  CHECK(Has(fault("trainer_spec.vocab_size: 1\n# trainer_spec.vocab_size: 1"),
            "line 3 trainer_spec.vocab_size is there twice"));
  CHECK(Has(FaultOf("# .spm 2\n" + piece, {}), "line 1 is of a version that is not known here"));
}

TEST_CASE("a plain file says no algorithm: it must be given") {
  const std::string plain = PlainText({kUnknownPiece, {"<s>", 0, PieceType_CONTROL}, {"a", -1}});
  CHECK(Has(FaultOf(plain, {}), "the file is plain"));
  CHECK(Has(FaultOf(plain, {.recipe = "gpt2"}), "there is no recipe gpt2"));
  CHECK(Has(FaultOf(plain, {.fields = "model_type: BPE"}), "\"model_type: BPE\" is no field"));
  const std::string model = Read(plain, {.fields = "# trainer_spec.model_type: CHAR\n\n"});
  CHECK((*ReadModelProto(model)).trainer_spec.model_type == ModelType_CHAR);
  CHECK(Has(FaultOf("# .spm 1\n" + plain, {.recipe = "llama2"}), "take llama2 away"));
}

TEST_CASE("recipes say what a family's models have in common") {
  TinyModel tiny = PlainModel(ModelType_BPE, {{"a", -1}});
  AddBytePieces(&tiny);
  const std::string plain = PlainText(tiny.pieces);
  const std::string llama_model = Read(plain, {.recipe = "llama2"});
  const SerializedModel llama = *ReadModelProto(llama_model);
  CHECK(llama.trainer_spec.model_type == ModelType_BPE);
  CHECK(llama.trainer_spec.byte_fallback);
  CHECK(llama.normalizer_spec.add_dummy_prefix);
  CHECK(!llama.normalizer_spec.remove_extra_whitespaces);

  const std::string model = Read(plain, {.recipe = "t5", .named_charsmap = "map"});
  const SerializedModel t5 = *ReadModelProto(model);
  CHECK(t5.trainer_spec.model_type == ModelType_UNIGRAM);
  CHECK(t5.normalizer_spec.precompiled_charsmap == "map");
  CHECK(t5.normalizer_spec.remove_extra_whitespaces);

  const std::string other = Read(plain, {.recipe = "llama2",
                                         .fields = "normalizer_spec.add_dummy_prefix: false\n"
                                                   "trainer_spec.bos_piece: \"<s>\""});
  CHECK(!(*ReadModelProto(other)).normalizer_spec.add_dummy_prefix);
}

TEST_CASE("a plain file of Gemma's is known by its special pieces") {
  TinyModel tiny = {.pieces = {{"<pad>", 0, PieceType_CONTROL},
                               {"<eos>", 0, PieceType_CONTROL},
                               {"<bos>", 0, PieceType_CONTROL},
                               kUnknownPiece,
                               {"a", -1}}};
  CHECK(Has(FaultOf(PlainText(tiny.pieces), {}), "the file is plain"));
  AddBytePieces(&tiny);
  const std::string text = PlainText(tiny.pieces);
  const std::string model = Read(text);
  const SerializedModel gemma = *ReadModelProto(model);
  CHECK(gemma.trainer_spec.model_type == ModelType_BPE);
  CHECK(gemma.trainer_spec.bos_piece == "<bos>");
  CHECK(!gemma.normalizer_spec.add_dummy_prefix);
  CHECK(model == Read(text, {.recipe = "gemma"}));
}

TEST_CASE("comments, CRLF, blanks and a byte order mark are passed over") {
  const std::string text =
      "\xef\xbb\xbf# made by hand: see pieces.txt\r\nPHVuaz4=  0.0\t2\t# <unk>\r\n  # x\nYQ== -1 1";
  const std::string serialized = Read(text, kBpe);
  const SerializedModel model = *ReadModelProto(serialized);
  REQUIRE(model.pieces.size() == 2);
  CHECK(model.pieces[1].piece == "a");
  CHECK(model.pieces[1].score == -1.0f);
}

TEST_CASE("a comment can show each piece") {
  const std::string model = Serialize(PlainModel(ModelType_BPE, {{MARK "a", -1}}));
  const std::string text = Written(model, {.is_plain = true, .has_comments = true});
  CHECK(text == "PHVuaz4= 0.0 2  # \"<unk>\" UNKNOWN\n4paBYQ== -1.0 1  # \"" MARK "a\" NORMAL\n");
  CHECK(Written(Read(text, kBpe), {.is_plain = true, .has_comments = true}) == text);
}

TEST_CASE("pieces that the format cannot hold are refused") {
  const auto fault = [](const TinyPiece& piece) {
    const std::string model = Serialize(PlainModel(ModelType_BPE, {piece}));
    return std::string(ModelToSpmText(model).message());
  };
  CHECK(fault({""}) == "piece 1 is empty: .spm cannot say that");
  CHECK(fault({"\xff"}) == "piece 1 is no UTF-8: .spm cannot say that");
  CHECK(fault({"a", std::numeric_limits<float>::quiet_NaN()}).empty());
  CHECK(Has(fault({"a", -std::numeric_limits<float>::quiet_NaN()}), "a NaN of unusual bits"));
  CHECK(Has(std::string(ModelToSpmText("no model").message()), "not a sentencepiece .model"));
}

TEST_CASE("it is told from other kinds of files by its beginning") {
  CHECK(IsSpmText("# .spm 1\n"));
  CHECK(IsSpmText("PHVuaz4= 0.0 2\n"));
  CHECK(IsSpmText("PHVuaz4= 0.0 2"));
  CHECK(IsSpmText("PHVuaz4= 0.0 9\n"));
  CHECK(IsSpmText("#" + std::string(600, '-')));
  CHECK(!IsSpmText(""));
  CHECK(!IsSpmText("\n"));
  CHECK(!IsSpmText("{\"version\": 1}"));
  CHECK(!IsSpmText("Hello world 1"));
  CHECK(!IsSpmText("#\xff"));
  const std::string model = Serialize(PlainModel(ModelType_BPE, {{"a", -1}}));
  CHECK(!IsSpmText(model));
  CHECK(!IsSpmText(*ToFlatbuffer(model)));
}

}  // namespace sentencepiece::lite
