// Ids and pieces to text, one sequence at a time or in batches.

#ifndef SPMLITE_PY_DECODING_H_
#define SPMLITE_PY_DECODING_H_

#include <span>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "python_api.h"
#include "sentencepiece_lite.h"

namespace spmlite {

using sentencepiece::lite::SentencePieceLiteProcessor;

// False with an IndexError where one of the ids is not in the model.
bool CheckIds(const SentencePieceLiteProcessor& processor, std::span<const int> ids);

// Each of these returns str, or bytes where `as_bytes`, as a new reference (a
// list of them for a batch), or nullptr with a Python error set. A batch is
// spread over `threads` threads (see ThreadCount), the GIL let go.
PyObject* DecodeIds(const SentencePieceLiteProcessor& processor, std::span<const int> ids,
                    bool as_bytes);
PyObject* DecodeIdsBatch(const SentencePieceLiteProcessor& processor, const IdRows& rows,
                         bool as_bytes, int threads);
PyObject* DecodePieces(const SentencePieceLiteProcessor& processor, const TextList& pieces,
                       bool as_bytes);
PyObject* DecodePiecesBatch(const SentencePieceLiteProcessor& processor,
                            const std::vector<TextList>& rows, bool as_bytes, int threads);

// (text, decoded, ids, pieces, [(begin, end), ...]), where the spans tell what
// each piece gave of `decoded`: the text before a denormalizer rewrites it. Of the
// Options, kAsBytes and those of offsets count.
PyObject* DecodeSpans(const SentencePieceLiteProcessor& processor, std::span<const int> ids,
                      std::span<const std::string_view> pieces, int options);

}  // namespace spmlite

#endif  // SPMLITE_PY_DECODING_H_
