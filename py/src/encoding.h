// Texts to ids and to what Python shows of them, one at a time or in batches.

#ifndef SPMLITE_PY_ENCODING_H_
#define SPMLITE_PY_ENCODING_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "python_api.h"
#include "sentencepiece_lite.h"

namespace spmlite {

using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::TokenSpan;

// How a result is given, as bits of one number.
enum Options : int {
  kAddBos = 1,
  kAddEos = 2,
  kReverse = 4,           // before bos and eos are added
  kEmitUnknownPiece = 8,  // an unknown piece is shown as the model's own
  kAsBytes = 16,          // bytes instead of str
  // What spans count, where it is not characters.
  kOffsetsInBytes = 32,
  kOffsetsInUtf16 = 64,
};

// A text in tokens: what each result is made from.
struct Surfaces {
  std::vector<int> ids;
  std::vector<TokenSpan> spans;      // empty where they were not asked for
  std::vector<std::string> unknown;  // the text of each unknown id, in order
  bool ok = true;
};

// The id that unknown text has: not always unk_id(), which callers are told.
inline int UnknownId(const SentencePieceLiteProcessor& processor) {
  return processor.PieceToId({});
}

// Takes up the text of the unknown ids from `pieces`, one an id.
void TakeUnknown(const SentencePieceLiteProcessor& processor,
                 std::span<const std::string_view> pieces, Surfaces* surfaces);

// From bytes of `text` to what `options` ask for.
void CountSpans(std::string_view text, int options, std::vector<TokenSpan>* spans);

// `encode(i, &surfaces)` for each text, over threads, the GIL let go.
std::vector<Surfaces> EncodeSurfacesBatch(
    std::span<const std::string_view> texts, int threads,
    sentencepiece::lite::FunctionRef<bool(size_t, Surfaces*)> encode);

// The results of one text as they are described below: of ids, packed, of
// pieces, of spans.
PyObject* MakeIds(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                  int options);
PyObject* MakePackedIds(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                        int options);
PyObject* MakePieces(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                     int options);
PyObject* MakeSpans(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                    int options);

// False with a ValueError where the model has no piece that `options` ask for.
bool CheckOptions(const SentencePieceLiteProcessor& processor, int options);

// Each of these returns a new reference, or nullptr with a Python error set.
// A batch is spread over `threads` threads (see ThreadCount), the GIL let go.

// list[int]
PyObject* EncodeIds(const SentencePieceLiteProcessor& processor, std::string_view text,
                    int options);
PyObject* EncodeIdsBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                         int options, int threads);

// bytes of int32; for a batch those of all texts, and bytes of int64 that tell
// where each text ends among them.
PyObject* EncodePacked(const SentencePieceLiteProcessor& processor, std::string_view text,
                       int options);
PyObject* EncodePackedBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                            int options, int threads);

// list[str], or list[bytes] with kAsBytes
PyObject* EncodePieces(const SentencePieceLiteProcessor& processor, std::string_view text,
                       int options);
PyObject* EncodePiecesBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                            int options, int threads);

// (ids, pieces, [(begin, end), ...]); of the options, kAsBytes and those of offsets count.
PyObject* EncodeSpans(const SentencePieceLiteProcessor& processor, std::string_view text,
                      int options);
PyObject* EncodeSpansBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                           int options, int threads);

}  // namespace spmlite

#endif  // SPMLITE_PY_ENCODING_H_
