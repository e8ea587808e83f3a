// The steps, loaded, in the order in which a text takes them.

#ifndef SPMLITE_CORE_PIPELINE_H_
#define SPMLITE_CORE_PIPELINE_H_

#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bpe.h"
#include "decoder.h"
#include "emitter.h"
#include "model.h"
#include "normalizer.h"
#include "segmenter.h"
#include "sentencepiece_lite.h"
#include "token_cache.h"
#include "unigram.h"
#include "word_char.h"

namespace sentencepiece::lite {

// Const members may be called from any thread.
class Pipeline {
 public:
  StatusCode Load(std::string_view blob, Checks checks, std::string* message) {
    StatusCode code = model.Load(blob, checks, message);
    if (code != StatusCode::kOk) return code;
    std::string field = "normalizer_spec";
    std::string fault = normalizer.Load(model.normalizer_spec(), model.user_defined_trie());
    if (fault.empty() && model.denormalizer_spec() != nullptr) {
      field = "denormalizer_spec";
      fault = denormalizer.Load(model.denormalizer_spec(), no_user_defined_);
    }
    if (!fault.empty()) {
      *message = "precompiled_charsmap of " + field + " is damaged: " + fault;
      return StatusCode::kInternal;
    }
    if (CutsAreSafe()) {
      segmenter.Load(model, Spaces::kLiteral);
      space_segmenter.Load(model, normalizer.spaces());
    }
    return StatusCode::kOk;
  }

  template <typename Receive>
  void ForEachChunk(std::string_view normalized, Receive&& receive) const {
    while (!normalized.empty()) {
      const size_t length = segmenter.ShortestChunkLength(normalized);
      receive(normalized.substr(0, length));
      normalized.remove_prefix(length);
    }
  }

  // Text to ids, by way of normalized text in which a space stands for the mark.
  StatusCode Encode(std::string_view input, ChunkTables* tables, std::vector<int>* ids) const {
    std::string buffer;
    if (model.type() == ModelType_WORD || model.type() == ModelType_CHAR) {
      if (!normalizer.Normalize(input, &buffer, nullptr)) return StatusCode::kInvalidArgument;
      EncodeNormalized(buffer, nullptr, ids, nullptr);
      return StatusCode::kOk;
    }
    std::string_view text;
    if (!normalizer.NormalizeToSpaces(input, &buffer, &text)) return StatusCode::kInvalidArgument;
    EncodeText(text, normalizer.spaces(), space_segmenter, tables, ids, nullptr);
    return StatusCode::kOk;
  }

  void EncodeNormalized(std::string_view normalized, ChunkTables* tables, std::vector<int>* ids,
                        std::vector<std::string_view>* pieces) const {
    // A literal space is another key than one that stands for the mark.
    if (normalizer.spaces() == Spaces::kMark && normalized.find(' ') != std::string_view::npos) {
      tables = nullptr;
    }
    EncodeText(normalized, Spaces::kLiteral, segmenter, tables, ids, pieces);
  }

  Decoder MakeDecoder(std::string* text, std::vector<TokenSpan>* spans) const {
    return Decoder(model, normalizer.add_dummy_prefix() || normalizer.remove_extra_whitespaces(),
                   normalizer.remove_extra_whitespaces(), text, spans);
  }

  // False as Normalizer::Normalize.
  bool Denormalize(std::string* text) const {
    if (model.denormalizer_spec() == nullptr) return true;
    const std::string decoded = std::move(*text);
    return denormalizer.Normalize(decoded, text, nullptr);
  }

  Model model;
  Normalizer normalizer;
  Normalizer denormalizer;
  Segmenter segmenter;        // of normalized text
  Segmenter space_segmenter;  // of such with spaces for marks

 private:
  void EncodeText(std::string_view text, Spaces spaces, const Segmenter& cuts, ChunkTables* tables,
                  std::vector<int>* ids, std::vector<std::string_view>* pieces) const {
    Emitter emitter(model, spaces, ids, pieces);
    const auto encode = [&](auto encoder) { EncodeChunks(text, cuts, tables, &encoder, &emitter); };
    switch (model.type()) {
      case ModelType_BPE:
        return encode(BpeEncoder(model, spaces));
      case ModelType_WORD:
      case ModelType_CHAR:
        return encode(WordOrCharEncoder(model));
      default:
        return encode(UnigramEncoder(model, spaces, text.data(), tables != nullptr));
    }
  }

  template <typename Encoder>
  void EncodeChunks(std::string_view text, const Segmenter& cuts, ChunkTables* tables,
                    Encoder* encoder, Emitter* emitter) const {
    while (!text.empty()) {
      const std::string_view chunk = text.substr(0, cuts.ChunkLength(text));
      emitter->Reserve(chunk.size());
      if (tables == nullptr) {
        encoder->Encode(chunk, emitter);
      } else if (!tables->Emit(chunk, text.size(), generation_, emitter)) {
        EncodeNewChunk(chunk, tables, encoder, emitter);
      }
      text.remove_prefix(chunk.size());
    }
  }

  // A chunk with an unknown piece is not kept: that may join the one before.
  template <typename Encoder>
  void EncodeNewChunk(std::string_view chunk, ChunkTables* tables, Encoder* encoder,
                      Emitter* emitter) const {
    const size_t before = emitter->size();
    const size_t unknown_before = emitter->unknown_count();
    if (!encoder->Encode(chunk, emitter) || emitter->unknown_count() != unknown_before) return;
    tables->Insert(chunk, generation_, emitter->ids() + before, emitter->size() - before);
  }

  // Tells models apart in a cache; it has room for 24 bits.
  static uint32_t NextGeneration() {
    static std::atomic<uint32_t> last{0};
    return 1 + last.fetch_add(1, std::memory_order_relaxed) % 0xFFFFFF;
  }

  // Not where more than the pieces at hand counts: the last split of an UNUSED
  // piece over a whole text of BPE, the words of WORD.
  bool CutsAreSafe() const {
    return model.type() == ModelType_UNIGRAM ||
           (model.type() == ModelType_BPE && !model.has_unused());
  }

  DoubleArray no_user_defined_;
  const uint32_t generation_ = NextGeneration();
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_PIPELINE_H_
