// Texts to ids and to what Python shows of them, one at a time or in batches.

#ifndef SPMLITE_PY_ENCODING_H_
#define SPMLITE_PY_ENCODING_H_

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
  kAsBytes = 16,          // bytes, and spans in bytes, instead of characters
};

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

// (ids, pieces, [(begin, end), ...]); of the options, kAsBytes alone counts.
PyObject* EncodeSpans(const SentencePieceLiteProcessor& processor, std::string_view text,
                      int options);
PyObject* EncodeSpansBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                           int options, int threads);

}  // namespace spmlite

#endif  // SPMLITE_PY_ENCODING_H_
