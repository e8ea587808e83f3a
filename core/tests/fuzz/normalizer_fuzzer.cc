// A charsmap and a text, both from a stranger.
//
// The input: a byte of flags, two bytes of the text's length (the low one first),
// the text, the charsmap.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exercise.h"
#include "sentencepiece_lite.h"
#include "sentencepiece_lite_generated.h"
#include "trie_builder.h"

namespace sentencepiece::lite {
namespace {

// A model of one piece behind that charsmap.
std::shared_ptr<std::string> BlobOf(uint8_t flags, std::string_view charsmap) {
  flatbuffers::FlatBufferBuilder builder;
  const auto bytes = [&](const void* content, size_t size) {
    builder.ForceVectorAlignment(size, 1, sizeof(uint64_t));
    return builder.CreateVector(static_cast<const uint8_t*>(content), size);
  };
  static const std::vector<uint32_t> units = BuildTrie(std::vector<TrieEntry>{{"<unk>", 0}});
  const auto pieces = builder.CreateVectorOfStrings({"<unk>"});
  const auto scores = builder.CreateVector(std::vector<float>{0});
  const auto types = builder.CreateVector(std::vector<int8_t>{PieceType_UNKNOWN});
  const auto trie = bytes(units.data(), units.size() * sizeof(uint32_t));
  const auto normalizer = CreateNormalizerSpec(builder, 0, bytes(charsmap.data(), charsmap.size()),
                                               flags & 1, flags & 2, flags & 4, flags & 8);
  ModelProtoBuilder table(builder);
  table.add_pieces(pieces);
  table.add_scores(scores);
  table.add_types(types);
  table.add_pieces_trie_blob(trie);
  table.add_normalizer_spec(normalizer);
  builder.Finish(table.Finish());
  return std::make_shared<std::string>(reinterpret_cast<const char*>(builder.GetBufferPointer()),
                                       builder.GetSize());
}

void Run(uint8_t flags, std::string_view text, std::string_view charsmap) {
  const SentencePieceLiteProcessor processor(BlobOf(flags, charsmap));
  if (processor.status() != StatusCode::kOk) {
    Expect(!processor.status_message().empty(), "a refusal has its reason");
    return;
  }
  std::string normalized;
  std::string plain;
  std::vector<size_t> offsets;
  const StatusCode code = processor.Normalize(text, &normalized, &offsets);
  Expect(processor.Normalize(text, &plain) == code && plain == normalized,
         "offsets do not change the text");
  Expect(!processor.CanSkipNormalization(text) || normalized == text, "what is skipped stays");
  std::vector<int> ids;
  ExerciseEncode(processor, text, &ids);
}

}  // namespace
}  // namespace sentencepiece::lite

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data + 3), size - 3);
  const size_t length = std::min<size_t>(data[1] | data[2] << 8, rest.size());
  sentencepiece::lite::Run(data[0], rest.substr(0, length), rest.substr(length));
  return 0;
}
