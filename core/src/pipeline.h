// The steps, loaded, in the order in which a text takes them.

#ifndef SPMLITE_CORE_PIPELINE_H_
#define SPMLITE_CORE_PIPELINE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bpe.h"
#include "character.h"
#include "decoder.h"
#include "emitter.h"
#include "model.h"
#include "normalizer.h"
#include "segmenter.h"
#include "sentencepiece_lite.h"
#include "unigram.h"
#include "word.h"

namespace sentencepiece::lite {

// Const members may be called from any thread.
class Pipeline {
 public:
  StatusCode Load(std::string_view blob, Checks checks, std::string* message) {
    StatusCode code = model.Load(blob, checks, message);
    if (code != StatusCode::kOk) return code;
    code = normalizer.Load(model.normalizer_spec(), model.user_defined_trie(), "normalizer_spec",
                           message);
    if (code != StatusCode::kOk) return code;
    if (model.denormalizer_spec() != nullptr) {
      code = denormalizer.Load(model.denormalizer_spec(), no_user_defined_, "denormalizer_spec",
                               message);
      if (code != StatusCode::kOk) return code;
    }
    if (CutsAreSafe()) segmenter.Load(model.pair_trie());
    return StatusCode::kOk;
  }

  template <typename Receive>
  void ForEachChunk(std::string_view normalized, Receive&& receive) const {
    while (!normalized.empty()) {
      const size_t length = segmenter.ChunkLength(normalized);
      receive(normalized.substr(0, length));
      normalized.remove_prefix(length);
    }
  }

  void Encode(std::string_view normalized, std::vector<int>* ids,
              std::vector<std::string_view>* pieces) const {
    Emitter emitter(model, ids, pieces);
    const auto encode = [&](auto encoder) {
      ForEachChunk(normalized, [&](std::string_view chunk) { encoder.Encode(chunk, &emitter); });
    };
    switch (model.type()) {
      case ModelType_BPE:
        return encode(BpeEncoder(model));
      case ModelType_WORD:
        return encode(WordEncoder(model));
      case ModelType_CHAR:
        return encode(CharacterEncoder(model));
      default:
        return encode(UnigramEncoder(model));
    }
  }

  void Sample(std::string_view normalized, float alpha, FunctionRef<float()> uniform,
              Emitter* emitter) const {
    if (model.type() == ModelType_BPE) {
      BpeEncoder encoder(model, alpha, &uniform);
      return ForEachChunk(normalized,
                          [&](std::string_view chunk) { encoder.Encode(chunk, emitter); });
    }
    UnigramEncoder encoder(model);
    ForEachChunk(normalized,
                 [&](std::string_view chunk) { encoder.Sample(chunk, alpha, uniform, emitter); });
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
  Segmenter segmenter;

 private:
  // Not where more than the pieces at hand counts: the last split of an UNUSED
  // piece over a whole text of BPE, the words of WORD.
  bool CutsAreSafe() const {
    return model.type() == ModelType_UNIGRAM ||
           (model.type() == ModelType_BPE && !model.has_unused());
  }

  DoubleArray no_user_defined_;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_PIPELINE_H_
