// Ways to a segmentation other than `encode`: drawn at random, the best ones in
// order, or the one of `encode` over several threads.

#ifndef SPMLITE_PY_SAMPLING_H_
#define SPMLITE_PY_SAMPLING_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arguments.h"
#include "python_api.h"
#include "sentencepiece_lite.h"

namespace spmlite {

// What is returned of a segmentation: see encoding.h.
enum class Shape : int { kIds = 0, kPacked = 1, kPieces = 2, kSpans = 3 };

// How one is drawn, as the oracle's SampleEncode does it: from all (a negative
// `nbest_size`, and always of BPE) or from the best of them.
struct Sampling {
  int nbest_size;
  float alpha;
};

// Begins the draws of this process anew; the same seed gives the same draws.
void SetSeed(uint64_t seed);

// False with a RuntimeError where `processor` cannot draw so.
bool CheckSampling(const sentencepiece::lite::SentencePieceLiteProcessor& processor,
                   const Sampling& sampling);

// Each of these returns a new reference, or nullptr with a Python error set.
// A batch draws what its texts would one by one, over any number of threads.
PyObject* Sample(const sentencepiece::lite::SentencePieceLiteProcessor& processor,
                 std::string_view text, const Sampling& sampling, Shape shape, int options);
PyObject* SampleBatch(const sentencepiece::lite::SentencePieceLiteProcessor& processor,
                      const TextList& texts, const Sampling& sampling, Shape shape, int options,
                      int threads);

// What `encode` gives; a thread takes `chunk_size` bytes at a time, or more.
PyObject* EncodeParallel(const sentencepiece::lite::SentencePieceLiteProcessor& processor,
                         std::string_view text, Shape shape, int options, int threads,
                         size_t chunk_size);

// ([segmentation, ...], [score, ...])
PyObject* NBest(const sentencepiece::lite::SentencePieceLiteProcessor& processor,
                std::string_view text, int size, Shape shape, int options);

}  // namespace spmlite

#endif  // SPMLITE_PY_SAMPLING_H_
