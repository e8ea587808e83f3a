// spmlite: SentencePiece tokenization on a FlatBuffers model, read in place.
//
// The ids are those of sentencepiece 0.2.3. Names and calls are those of the
// published lite runtime (lite/sentencepiece_lite.h of its sdist), so that a
// program moves over by changing the library it links; what is ours alone says
// so.
//
// Units: every length, offset and span is in bytes of UTF-8 unless an
// OffsetUnit says otherwise. Threads: a processor never changes once it is
// constructed; any number of threads may call its const members at the same
// time. Nothing here throws. A failed call leaves its outputs empty.

#ifndef SENTENCEPIECE_LITE_H_
#define SENTENCEPIECE_LITE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sentencepiece::lite {

// The values are those of absl::StatusCode.
enum class StatusCode : int {
  kOk = 0,
  kInvalidArgument = 3,     // an argument, or a blob that is not a model
  kFailedPrecondition = 9,  // the model was not loaded: see status()
  kOutOfRange = 11,         // an id outside [0, vocab_size())
  kInternal = 13,           // a blob that contradicts itself
};

template <typename T>
using Span = std::span<T>;

// A reference to something callable, valid during the call it is passed to.
template <typename Signature>
class FunctionRef;

template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
             std::is_invocable_r_v<Result, Callable&, Arguments...>)
  FunctionRef(Callable&& callable)  // NOLINT(google-explicit-constructor)
      : target_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* target, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Callable>*>(target))(
              std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(target_, std::forward<Arguments>(arguments)...);
  }

 private:
  void* target_;
  Result (*call_)(void*, Arguments...);
};

// Where a token lies in the original text: [begin, end). (Ours.)
struct TokenSpan {
  uint32_t begin;
  uint32_t end;
};

// What the numbers of a TokenSpan count. (Ours.)
enum class OffsetUnit : int {
  kByte = 0,       // bytes of UTF-8
  kCharacter = 1,  // Unicode code points
  kUtf16 = 2,      // UTF-16 code units, as JavaScript counts
};

// How far a blob is checked when it is loaded. (Ours.)
enum class Checks : int {
  kAll = 0,         // its structure, every trie unit, its checksum
  kNoChecksum = 1,  // all that memory safety needs
  kNone = 2,        // nothing: for a blob that was checked before
};

class Model;
class Pipeline;

class SentencePieceLiteProcessor {
 public:
  SentencePieceLiteProcessor() = delete;

  // Reads the model where it lies; `buffer` must outlive the processor and be
  // aligned to 8 bytes (mapped files and heap blocks are). Check status().
  explicit SentencePieceLiteProcessor(std::string_view buffer, Checks checks = Checks::kAll);

  // The same, sharing ownership of the buffer.
  explicit SentencePieceLiteProcessor(std::shared_ptr<std::string> buffer,
                                      Checks checks = Checks::kAll);

  ~SentencePieceLiteProcessor();

  // kOk once the model is loaded; every other call needs that.
  StatusCode status() const { return status_; }

  // One sentence: which field, id or byte was at fault; empty when kOk. (Ours.)
  std::string_view status_message() const { return message_; }

  // Normalizes as the model was trained. Where asked for, `(*offset)[i]` is the
  // byte of `input` that `(*output)[i]` stems from, and one more entry holds
  // the number of bytes consumed; an empty output has no offsets.
  StatusCode Normalize(std::string_view input, std::string* output,
                       std::vector<size_t>* offset = nullptr) const;

  // Whether Normalize would return `input` as it is.
  bool CanSkipNormalization(std::string_view input) const;

  // Text to ids. Invalid UTF-8 becomes U+FFFD, a byte each.
  StatusCode Encode(std::string_view input, std::vector<int>* ids) const;

  // Text to ids and the span of each in `input`, counted in `unit`. Of the
  // bytes that a fallback spells one character with, the last has the whole
  // span and the others an empty one before it. (Ours.)
  StatusCode EncodeWithSpans(std::string_view input, OffsetUnit unit, std::vector<int>* ids,
                             std::vector<TokenSpan>* spans) const;

  // Normalized text to ids; `pieces` are views into `normalized`.
  StatusCode EncodeNormalized(std::string_view normalized, std::vector<int>* ids,
                              std::vector<std::string_view>* pieces = nullptr) const;

  // The same for one chunk of PretokenizeAtSafeBoundaries.
  StatusCode EncodeNormalizedChunk(std::string_view normalized_chunk, std::vector<int>* ids,
                                   std::vector<std::string_view>* pieces = nullptr) const {
    return EncodeNormalized(normalized_chunk, ids, pieces);
  }

  // Draws a segmentation of normalized text. `uniform_sampler` gives numbers in
  // [0, 1), such as a UniformSampler; `alpha` is finite and not negative.
  // Unigram: in proportion to P(segmentation)^alpha, as the oracle draws (its
  //   nbest_size -1): 0 draws evenly, 1 as the model is, large ones the best.
  //   (In the published lite runtime alpha scales the noise instead: there 0 is
  //   the best one.)
  // BPE: each merge is left out with the probability alpha.
  // WORD and CHAR have one segmentation: kInvalidArgument.
  StatusCode SampleNormalized(std::string_view normalized, float alpha,
                              FunctionRef<float()> uniform_sampler, std::vector<int>* ids,
                              std::vector<std::string_view>* pieces = nullptr) const;

  // Spans in `input` of `pieces`, views into what Normalize made of it with
  // `offset`; they must be in order. (Ours.)
  static void SpansOf(std::string_view input, std::string_view normalized,
                      Span<const size_t> offset, Span<const std::string_view> pieces,
                      OffsetUnit unit, std::vector<TokenSpan>* spans);

  // Cuts normalized text where no piece reaches across, so that the ids of the
  // chunks, one after the other, are the ids of the whole, but for two things: a run
  // of unknown characters that a cut divides is two unknown pieces instead of one, and
  // Unigram adds scores up in float32 along a text, so that a tie within rounding can
  // fall otherwise.
  StatusCode PretokenizeAtSafeBoundaries(std::string_view normalized,
                                         FunctionRef<void(std::string_view)> receiver) const;
  StatusCode PretokenizeAtSafeBoundaries(std::string_view normalized,
                                         std::vector<std::string_view>* out) const;

  // Ids to text; `pieces` are views into `output`, one an id (empty ones where
  // the model has a denormalizer, which rewrites the text as a whole). An id
  // out of range is kOutOfRange, and `output` stays empty.
  StatusCode Decode(Span<const int> ids, std::string* output,
                    std::vector<std::string_view>* pieces = nullptr) const;

  // Pieces to text; a piece that is not in the vocabulary gives itself. (Ours.)
  StatusCode DecodePieces(Span<const std::string_view> pieces, std::string* output) const;

  // The id of a piece; unk_id() for what is not one, -1 without a model.
  int PieceToId(std::string_view piece) const;

  // The piece of an id; the unknown piece for an id out of range.
  std::string_view IdToPiece(int id) const;

  // The score of an id, 0 for an id out of range.
  float GetScore(int id) const;

  // -1 where the model has none.
  int unk_id() const;
  int bos_id() const;
  int eos_id() const;
  int pad_id() const;

  // The number of pieces, 0 without a model.
  size_t vocab_size() const;

  // PieceType of the schema (NORMAL 1, UNKNOWN 2, CONTROL 3, USER_DEFINED 4,
  // UNUSED 5, BYTE 6), -1 for an id out of range.
  int piece_type(int id) const;

  // ModelType of the schema (UNIGRAM 1, BPE 2, WORD 3, CHAR 4). (Ours.)
  int model_type() const;

  // For the parts of this library that build on the steps; null without a model.
  const Pipeline* pipeline() const { return pipeline_.get(); }

 private:
  friend class CachedSentencePieceLite;

  void Load(std::string_view buffer, Checks checks);
  // One without pieces when none is loaded.
  const Model& model() const;
  // What every call that encodes begins with.
  StatusCode Prepare(std::string_view normalized, std::vector<int>* ids,
                     std::vector<std::string_view>* pieces) const;

  std::shared_ptr<std::string> shared_buffer_;
  std::unique_ptr<const Pipeline> pipeline_;
  StatusCode status_ = StatusCode::kFailedPrecondition;
  std::string message_;
};

}  // namespace sentencepiece::lite

#endif  // SENTENCEPIECE_LITE_H_
