// Texts as the model sees them.

#ifndef SPMLITE_PY_NORMALIZING_H_
#define SPMLITE_PY_NORMALIZING_H_

#include "arguments.h"
#include "python_api.h"
#include "sentencepiece_lite.h"

namespace spmlite {

// The normalized text, of the type of the text; empty without a model.
PyObject* Normalize(const sentencepiece::lite::SentencePieceLiteProcessor& processor,
                    const Text& text);

// (normalized, offsets): offsets[i] tells where the i-th character (byte, for
// bytes) of `normalized` stems from; one more entry is the length consumed.
PyObject* NormalizeWithOffsets(const sentencepiece::lite::SentencePieceLiteProcessor& processor,
                               const Text& text);

}  // namespace spmlite

#endif  // SPMLITE_PY_NORMALIZING_H_
