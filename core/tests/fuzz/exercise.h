// What a fuzz target does with a processor, and what must hold whatever the model
// and the text are.

#ifndef SPMLITE_CORE_TESTS_FUZZ_EXERCISE_H_
#define SPMLITE_CORE_TESTS_FUZZ_EXERCISE_H_

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "sentencepiece_extra.h"
#include "sentencepiece_lite.h"
#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

// Ends the run, which libFuzzer takes for a finding.
inline void Expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// The pieces of a text lie one after the other and are all of it.
inline void ExpectParts(std::string_view text, const std::vector<int>& ids,
                        const std::vector<std::string_view>& pieces) {
  Expect(ids.size() == pieces.size(), "one piece an id");
  size_t end = 0;
  for (const std::string_view piece : pieces) {
    Expect(piece.data() == text.data() + end, "pieces adjoin");
    end += piece.size();
  }
  Expect(end == text.size(), "pieces are the text");
}

// Whether the parts of a model may contradict one another: what was not made by our
// converter, such as a filter of pairs that denies a piece of the trie. Then the
// ways to encode a text need not agree.
enum class Parts { kAgree, kMayDisagree };

inline bool IsSame(const TokenSpan& a, const TokenSpan& b) {
  return a.begin == b.begin && a.end == b.end;
}

inline void ExerciseEncode(const SentencePieceLiteProcessor& processor, std::string_view text,
                           std::vector<int>* ids, Parts parts = Parts::kAgree) {
  const bool agree = parts == Parts::kAgree;
  std::string normalized;
  std::vector<size_t> offsets;
  const StatusCode code = processor.Normalize(text, &normalized, &offsets);
  if (code != StatusCode::kOk) return;
  Expect(normalized.empty() || offsets.size() == normalized.size() + 1, "an offset a byte");
  for (size_t i = 0; i < offsets.size(); ++i) {
    Expect(offsets[i] >= (i == 0 ? 0 : offsets[i - 1]), "offsets ascend");
    Expect(offsets[i] <= text.size(), "offsets lie in the text");
  }

  std::vector<std::string_view> pieces;
  Expect(processor.EncodeNormalized(normalized, ids, &pieces) == StatusCode::kOk, "encodes");
  ExpectParts(normalized, *ids, pieces);
  for (const int id : *ids) {
    Expect(id >= 0 && static_cast<size_t>(id) < processor.vocab_size(), "ids are in range");
  }
  std::vector<int> again;
  std::vector<TokenSpan> spans;
  processor.EncodeWithSpans(text, OffsetUnit::kUtf16, &again, &spans);
  Expect(spans.size() == again.size(), "a span an id");
  Expect(!agree || again == *ids, "spans change no id");
  processor.Encode(text, &again);
  Expect(!agree || again == *ids, "offsets change no id");
  TokenCache cache(TokenCache::Capacity::kTiny, 1);
  for (int i = 0; i < 2; ++i) {
    CachedSentencePieceLite::Encode(processor, cache, text, &again);
    Expect(!agree || again == *ids, "the cache changes no id");
    std::vector<TokenSpan> cached;
    EncodeWithSpans(processor, cache, text, OffsetUnit::kUtf16, &again, &cached);
    Expect(cached.size() == again.size(), "a span an id, by way of the cache");
    Expect(!agree || std::ranges::equal(cached, spans, IsSame), "the cache changes no span");
  }

  std::string chunks;
  processor.PretokenizeAtSafeBoundaries(normalized,
                                        [&](std::string_view chunk) { chunks += chunk; });
  Expect(chunks == normalized, "chunks are the text");
}

inline void ExerciseDecode(const SentencePieceLiteProcessor& processor,
                           const std::vector<int>& ids) {
  std::string text;
  std::vector<std::string_view> pieces;
  if (processor.Decode(ids, &text, &pieces) != StatusCode::kOk) return;
  Expect(pieces.size() == ids.size(), "a piece an id");
  StreamingDecoder decoder(processor);
  std::string streamed;
  for (const int id : ids) decoder.Add(id, &streamed);
  decoder.Finish(&streamed);
  Expect(streamed == text, "streamed or at once, the same text");
  std::vector<std::string_view> spelled;
  for (const int id : ids) spelled.push_back(processor.IdToPiece(id));
  processor.DecodePieces(spelled, &text);
}

// A short text only: n-best and sampling look at every way to cut it.
inline void ExerciseSampling(const SentencePieceLiteProcessor& processor, std::string_view text) {
  std::string normalized;
  if (processor.Normalize(text, &normalized) != StatusCode::kOk || normalized.size() > 4096) return;
  UniformSampler sampler(normalized.size());
  std::vector<int> ids;
  std::vector<std::string_view> pieces;
  for (const float alpha : {0.0f, 0.5f, 1.0f, 1e30f}) {
    const StatusCode code = processor.SampleNormalized(normalized, alpha, sampler, &ids, &pieces);
    if (code == StatusCode::kOk) ExpectParts(normalized, ids, pieces);
  }
  std::vector<Segmentation> best;
  NBestNormalized(processor, normalized, 4, &best);
  for (const Segmentation& one : best) ExpectParts(normalized, one.ids, one.pieces);
}

// Everything, on texts made of the model's own pieces and of what is in no model.
inline void Exercise(const SentencePieceLiteProcessor& processor, Parts parts = Parts::kAgree) {
  if (processor.status() != StatusCode::kOk) {
    Expect(!processor.status_message().empty(), "a refusal has its reason");
    return;
  }
  std::string text = "a  b \xe2\x96\x81\xc3\xa9\xf0\x9f\xa6\x99\xe2\x96\xff";
  text += '\0';
  const int size = static_cast<int>(processor.vocab_size());
  std::vector<int> all;
  for (int id = 0; id < size && id < 600; ++id) {
    const std::string_view piece = processor.IdToPiece(id);
    if (text.size() + piece.size() < 4000) text += piece;
    processor.PieceToId(piece);
    processor.GetScore(id);
    all.push_back(id);
  }
  std::vector<int> ids;
  for (const std::string& one : {text, text.substr(0, text.size() / 2) + text,
                                 std::string(300, 'a'), std::string(70, ' ')}) {
    ExerciseEncode(processor, one, &ids, parts);
    ExerciseDecode(processor, ids);
  }
  ExerciseSampling(processor, std::string_view(text).substr(0, 100));
  ExerciseDecode(processor, all);
}

// The same with what the converter makes of a `.model`, which it may refuse.
inline void ExerciseConverted(std::string_view model) {
  StatusOr<std::string> blob = ToFlatbuffer(model);
  if (!blob.ok()) {
    Expect(!blob.message().empty(), "a refusal has its reason");
    return;
  }
  const SentencePieceLiteProcessor processor(std::make_shared<std::string>(*std::move(blob)));
  Expect(processor.status() == StatusCode::kOk, "what is converted loads");
  Exercise(processor);
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TESTS_FUZZ_EXERCISE_H_
