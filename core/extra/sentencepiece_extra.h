// What goes beyond the published lite runtime: drawing with a seed, the best
// segmentations in order, spans, decoding as ids come in. Apart from the runtime, and
// linked by what calls it.

#ifndef SENTENCEPIECE_EXTRA_H_
#define SENTENCEPIECE_EXTRA_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "sentencepiece_lite.h"

namespace sentencepiece::lite {

// Uniform numbers in [0, 1), the same on every platform for a seed: SplitMix64
// (Steele, Lea, Flood 2014, https://doi.org/10.1145/2714064.2660195).
class UniformSampler {
 public:
  explicit UniformSampler(uint64_t seed) : state_(seed) {}

  float operator()() {
    uint64_t bits = state_ += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return static_cast<float>((bits ^ (bits >> 31)) >> 40) * 0x1p-24f;
  }

 private:
  uint64_t state_;
};

// A seed for one text, from the source of those of many.
uint64_t DrawSeed(UniformSampler* sampler);

// kMaxNBestSize of the oracle's sentencepiece_processor.cc.
inline constexpr int kMaxNBestSize = 512;

struct Segmentation {
  std::vector<int> ids;
  std::vector<std::string_view> pieces;  // views into the normalized text
  float score = 0;                       // the sum of the scores of its pieces
};

// The `size` best segmentations (1 to kMaxNBestSize) of normalized text, best first, as the
// oracle finds and orders them; of a size of 1 the score is 0, as there. An empty
// text has one, without ids. kInvalidArgument unless the model is Unigram.
StatusCode NBestNormalized(const SentencePieceLiteProcessor& processor, std::string_view normalized,
                           int size, std::vector<Segmentation>* segmentations);

// Draws one of the `size` best ones with a probability in proportion to P^alpha;
// `uniform_sampler` gives a number in [0, 1), `alpha` is finite and not negative.
StatusCode SampleNBestNormalized(const SentencePieceLiteProcessor& processor,
                                 std::string_view normalized, int size, float alpha,
                                 FunctionRef<float()> uniform_sampler, Segmentation* segmentation);

// Draws a segmentation as the oracle's SampleEncode does. Of a Unigram model: from all
// where `nbest_size` is negative, else from that many best (of 0 and of 1 the best is
// taken). Of a BPE model: by SampleNormalized, whatever the size. The rest, and what is
// kInvalidArgument, as in the two calls above; the same draw for a seed everywhere.
StatusCode SampleEncodeNormalized(const SentencePieceLiteProcessor& processor,
                                  std::string_view normalized, int nbest_size, float alpha,
                                  uint64_t seed, Segmentation* segmentation);

// A text as the model reads it: its normalized form and where each byte of that stems from, as
// SentencePieceLiteProcessor::Normalize tells them; its ids, and the views into the normalized
// form that are their pieces.
struct NormalizedPieces {
  std::string normalized;
  std::vector<size_t> offsets;
  std::vector<int> ids;
  std::vector<std::string_view> pieces;
};

// What Normalize and EncodeNormalized find, by way of a cache, which knows ids alone: pieces are
// then read off the normalized text. After a failure there are no ids and no pieces.
StatusCode EncodePieces(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                        std::string_view input, NormalizedPieces* found);

// As SentencePieceLiteProcessor::EncodeWithSpans, by way of a cache.
StatusCode EncodeWithSpans(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                           std::string_view input, OffsetUnit unit, std::vector<int>* ids,
                           std::vector<TokenSpan>* spans);

// From bytes of `text` to `unit`; the spans must be in order.
void CountIn(OffsetUnit unit, std::string_view text, std::vector<TokenSpan>* spans);

// Ids with the piece of each (for an unknown one, what the caller holds) to text, and
// the bytes of it that each gave; of the bytes that spell one character the last has
// it whole. `rewritten` is what a denormalizer makes of the text, or the same.
// kInvalidArgument where it is too long for positions.
StatusCode DecodeWithSpans(const SentencePieceLiteProcessor& processor, Span<const int> ids,
                           Span<const std::string_view> pieces, std::string* text,
                           std::string* rewritten, std::vector<TokenSpan>* spans);

class Decoder;

// Decoding as ids come in, such as from a model that generates: what is given
// out never changes again, and together it is what Decode gives for all the
// ids. A character whose bytes have not all come is held back. For one thread.
class StreamingDecoder {
 public:
  // The processor must be loaded, and outlive the decoder.
  explicit StreamingDecoder(const SentencePieceLiteProcessor& processor);
  ~StreamingDecoder();

  // Appends to `text` what has become final. An id out of range is kOutOfRange,
  // and changes nothing.
  StatusCode Add(int id, std::string* text);

  // Appends what was held back; the decoder is then as new.
  StatusCode Finish(std::string* text);

 private:
  const Pipeline* pipeline_;
  std::unique_ptr<Decoder> decoder_;
  std::string ready_;
};

}  // namespace sentencepiece::lite

#endif  // SENTENCEPIECE_EXTRA_H_
