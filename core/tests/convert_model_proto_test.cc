// The reader of `.model` files: what it takes from bytes that protobuf would take,
// and what it says about those that it would not.

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>

#include "model_proto.h"
#include "random_text.h"
#include "tiny_model.h"

namespace sentencepiece::lite {
namespace {

// "<unk>" of type UNKNOWN, as field 1 of a ModelProto.
const std::string kPiece = std::string("\x0a\x09\x0a\x05<unk>\x18\x02", 11);

SerializedModel Read(std::string_view bytes) {
  StatusOr<SerializedModel> model = ReadModelProto(bytes);
  CHECK_MESSAGE(model.ok(), std::string(model.message()));
  return *std::move(model);
}

std::string Refusal(std::string_view bytes) { return std::string(ReadModelProto(bytes).message()); }

bool Says(const std::string& message, std::string_view part) {
  const bool says = message.find(part) != std::string::npos;
  CHECK_MESSAGE(says, message, " lacks ", std::string(part));
  return says;
}

std::string Message(uint32_t field, const ProtoWriter& content) {
  ProtoWriter message;
  message.AddBytes(field, std::string_view(content.bytes()));
  return message.bytes();
}

}  // namespace

TEST_CASE("what a file says is read") {
  TinyModel model = PlainModel(ModelType_BPE, {{"a", -1.5f}, {"b", 2, PieceType_USER_DEFINED}});
  model.treat_whitespace_as_suffix = true;
  model.byte_fallback = true;
  model.unk_surface = "?";
  model.unk_piece = "U";
  model.bos_piece = "B";
  model.eos_piece = "E";
  model.pad_piece = "P";
  model.normalizer->escape_whitespaces = false;
  model.normalizer->charsmap = "map";
  model.denormalizer = TinyNormalizerSpec{.charsmap = "other map"};
  const std::string bytes = Serialize(model);
  const SerializedModel read = Read(bytes);

  REQUIRE(read.pieces.size() == 3);
  CHECK(read.pieces[0].piece == "<unk>");
  CHECK(read.pieces[0].type == PieceType_UNKNOWN);
  CHECK(read.pieces[1].piece == "a");
  CHECK(read.pieces[1].score == -1.5f);
  CHECK(read.pieces[2].type == PieceType_USER_DEFINED);
  CHECK(read.trainer_spec.model_type == ModelType_BPE);
  CHECK(read.trainer_spec.treat_whitespace_as_suffix);
  CHECK(read.trainer_spec.byte_fallback);
  CHECK(read.trainer_spec.unk_surface == "?");
  CHECK(read.trainer_spec.unk_piece == "U");
  CHECK(read.trainer_spec.bos_piece == "B");
  CHECK(read.trainer_spec.eos_piece == "E");
  CHECK(read.trainer_spec.pad_piece == "P");
  CHECK(read.normalizer_spec.precompiled_charsmap == "map");
  CHECK_FALSE(read.normalizer_spec.add_dummy_prefix);
  CHECK_FALSE(read.normalizer_spec.remove_extra_whitespaces);
  CHECK_FALSE(read.normalizer_spec.escape_whitespaces);
  CHECK(read.denormalizer_spec.precompiled_charsmap == "other map");
}

TEST_CASE("what a file does not say has protobuf's default") {
  const std::string bytes = std::string("\x0a\x03\x0a\x01\x61", 5);
  const SerializedModel read = Read(bytes);
  REQUIRE(read.pieces.size() == 1);
  CHECK(read.pieces[0].type == PieceType_NORMAL);
  CHECK(read.pieces[0].score == 0);
  CHECK(read.trainer_spec.model_type == ModelType_UNIGRAM);
  CHECK_FALSE(read.trainer_spec.byte_fallback);
  CHECK(read.trainer_spec.unk_surface == " \xe2\x81\x87 ");
  CHECK(read.normalizer_spec.name.empty());
  CHECK(read.normalizer_spec.add_dummy_prefix);
  CHECK(read.normalizer_spec.remove_extra_whitespaces);
  CHECK(read.normalizer_spec.escape_whitespaces);
}

TEST_CASE("an empty unk_surface is not a missing one") {
  ProtoWriter trainer;
  trainer.AddBytes(44, std::string_view());
  const std::string bytes = kPiece + Message(2, trainer);
  CHECK(Read(bytes).trainer_spec.unk_surface.empty());
}

TEST_CASE("of a repeated scalar the last counts, repeated messages are merged") {
  ProtoWriter first;
  first.AddVarint(3, ModelType_BPE);
  first.AddVarint(35, 1);
  ProtoWriter second;
  second.AddVarint(3, ModelType_WORD);
  second.AddVarint(3, ModelType_CHAR);
  const std::string bytes = Message(2, first) + kPiece + Message(2, second);
  const SerializedModel read = Read(bytes);
  CHECK(read.trainer_spec.model_type == ModelType_CHAR);
  CHECK(read.trainer_spec.byte_fallback);
}

TEST_CASE("an enum value that is not declared is as if absent") {
  ProtoWriter trainer;
  trainer.AddVarint(3, ModelType_BPE);
  trainer.AddVarint(3, 5);
  trainer.AddVarint(3, 0);
  ProtoWriter piece;
  piece.AddBytes(1, std::string_view("a"));
  piece.AddVarint(3, 7);
  const std::string bytes = Message(2, trainer) + Message(1, piece);
  const SerializedModel read = Read(bytes);
  CHECK(read.trainer_spec.model_type == ModelType_BPE);
  CHECK(read.pieces.at(0).type == PieceType_NORMAL);
}

TEST_CASE("numbers of ten bytes are cut as protobuf cuts them") {
  ProtoWriter trainer;
  trainer.AddVarint(3, (uint64_t{1} << 32) + ModelType_BPE);
  trainer.AddVarint(35, uint64_t{1} << 63);
  const std::string bytes = kPiece + Message(2, trainer);
  const SerializedModel read = Read(bytes);
  CHECK(read.trainer_spec.model_type == ModelType_BPE);
  CHECK(read.trainer_spec.byte_fallback);
}

TEST_CASE("unknown fields, groups and other wire types are passed over") {
  const std::string unknown_fields[] = {
      std::string("\xc8\x0c\x05", 3),                               // 201, a number
      std::string("\xc9\x0c\x01\x02\x03\x04\x05\x06\x07\x08", 10),  // 201, 8 bytes
      std::string("\xca\x0c\x02hi", 5),                             // 201, a string
      std::string("\xcd\x0c\x01\x02\x03\x04", 6),                   // 201, 4 bytes
      std::string("\x08\x01", 2),                                   // 1, which is no number
      std::string("\x15\x01\x02\x03\x04", 5),                       // 2, which is no float
      std::string("\x1b\x08\x05\x2b\x12\x01x\x2c\x1c", 9),          // a group in a group
  };
  for (const std::string& field : unknown_fields) {
    const std::string bytes = field + kPiece + field + kPiece + field;
    const SerializedModel read = Read(bytes);
    CHECK(read.pieces.size() == 2);
    CHECK(read.pieces.back().type == PieceType_UNKNOWN);
  }
}

TEST_CASE("bytes that break off or make no sense are refused with their place") {
  CHECK(Says(Refusal(kPiece + "\x0a"), "a number is cut off or too long at byte 12"));
  CHECK(Says(Refusal(kPiece + "\x0a\x05"), "a field of 5 bytes is cut off at byte 13"));
  CHECK(Says(Refusal(kPiece + "\x28" + std::string(11, '\xff')), "too long at byte 12"));
  CHECK(Says(Refusal(kPiece + "\x2d\x01\x02"), "a field of 4 bytes is cut off at byte 12"));
  CHECK(Says(Refusal(kPiece + std::string(1, '\0')), "there is no field number at byte 12"));
  CHECK(Says(Refusal(kPiece + "\x0e"), "there is no wire type at byte 12"));
  CHECK(Says(Refusal(kPiece + "\x0c"), "a group ends that has not begun at byte 12"));
  CHECK(Says(Refusal(kPiece + "\x0b\x14"), "a group ends that has not begun at byte 13"));
  CHECK(Says(Refusal(kPiece + "\x0b"), "a group has no end at byte 12"));
  CHECK(Says(Refusal(kPiece + std::string(101, '\x0b')), "groups nest too deep"));
  SUBCASE("also within a message") {
    const std::string piece = std::string("\x0a\x02\x0a\x05", 4);
    CHECK(Says(Refusal(piece + kPiece), "a field of 5 bytes is cut off at byte 4"));
  }
  SUBCASE("and whatever its length says") {
    ProtoWriter longest;
    longest.AddVarint(1, std::numeric_limits<uint64_t>::max());
    std::string bytes = longest.bytes();
    bytes[0] = '\x0a';
    CHECK(Says(Refusal(bytes), "a field of 18446744073709551615 bytes is cut off"));
  }
}

TEST_CASE("what is no model at all is named") {
  CHECK(Says(Refusal(""), "not a sentencepiece .model"));
  CHECK(Says(Refusal(""), "it is empty"));
  CHECK(Says(Refusal("<!DOCTYPE html><html><body>404</body></html>"), "HTML"));
  CHECK(Says(Refusal("\n\n  <html>"), "HTML"));
  CHECK(Says(Refusal("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n"),
             "Git LFS pointer"));
  CHECK(Says(Refusal("{\"version\": \"1.0\", \"model\": {}}"), "tokenizer.json"));
  CHECK(Says(Refusal(std::string("PK\x03\x04\x14\0", 6)), "zip"));
  CHECK(Says(Refusal("\x1f\x8b\x08"), "gzip"));
  CHECK(Says(Refusal("GGUF\x03"), "GGUF"));
  CHECK(Says(Refusal(Convert(PlainModel(ModelType_BPE, {{"a"}}))), "needs no conversion"));
  CHECK(Says(Refusal(std::string("\x12\x00", 2)), "it has no pieces"));
}

TEST_CASE("a model that is cut off anywhere is read or refused, without a crash") {
  TinyModel model = PlainModel(ModelType_BPE, {{"a", -1}, {"ab", -2}});
  AddBytePieces(&model);
  model.unk_surface = "?";
  const std::string whole = Serialize(model);
  size_t refused = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    // A copy of its own, so that a read past its end shows under a sanitizer.
    const std::string cut = whole.substr(0, size);
    if (!ReadModelProto(cut).ok()) ++refused;
  }
  CHECK(refused > whole.size() / 2);
}

TEST_CASE("altered bytes are read or refused, without a crash") {
  TinyModel model = PlainModel(ModelType_UNIGRAM, {{"a", -1}, {"ab", -2}});
  model.denormalizer = TinyNormalizerSpec{.charsmap = "map"};
  const std::string whole = Serialize(model);
  RandomText random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    for (uint32_t changes = 1 + random.Below(4); changes > 0; --changes) {
      bytes[random.Below(static_cast<uint32_t>(bytes.size()))] =
          static_cast<char>(random.Below(256));
    }
    StatusOr<SerializedModel> read = ReadModelProto(bytes);
    CHECK(read.ok() == read.message().empty());
  }
}

}  // namespace sentencepiece::lite
