// What the larger of the two runtime modules has beyond abi.cc: segmentations drawn
// at random, and the best ones in order. Used as the calls there are:
//
//   spmlite_sample(tokenizer, text, size, seed, nbest_size, alpha) -> ids
//       see SampleEncodeNormalized; the text is the first one after `seed`
//   spmlite_nbest(tokenizer, text, size, nbest_size)
//       -> ids: of each segmentation the number of its ids, its score as the bits
//          of a float, and the ids

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exports.h"
#include "sentencepiece_extra.h"
#include "tokenizer.h"

namespace spmlite {

using sentencepiece::lite::Segmentation;
using sentencepiece::lite::UniformSampler;

SPMLITE_EXPORT(spmlite_sample)
StatusCode spmlite_sample(Tokenizer* tokenizer, const char* text, size_t size, uint32_t seed,
                          int nbest_size, float alpha) {
  StatusCode status = tokenizer->processor.Normalize({text, size}, &tokenizer->text);
  if (status == StatusCode::kOk) {
    UniformSampler seeds(seed);
    Segmentation drawn;
    status = SampleEncodeNormalized(tokenizer->processor, tokenizer->text, nbest_size, alpha,
                                    DrawSeed(&seeds), &drawn);
    tokenizer->ids.swap(drawn.ids);
  }
  return GiveIdsOr(status, tokenizer);
}

SPMLITE_EXPORT(spmlite_nbest)
StatusCode spmlite_nbest(Tokenizer* tokenizer, const char* text, size_t size, int nbest_size) {
  StatusCode status = tokenizer->processor.Normalize({text, size}, &tokenizer->text);
  tokenizer->ids.clear();
  if (status == StatusCode::kOk) {
    std::vector<Segmentation> best;
    status = NBestNormalized(tokenizer->processor, tokenizer->text, nbest_size, &best);
    for (const Segmentation& one : best) {
      tokenizer->ids.push_back(static_cast<int>(one.ids.size()));
      tokenizer->ids.push_back(std::bit_cast<int>(one.score));
      for (const int id : one.ids) tokenizer->ids.push_back(id);
    }
  }
  return GiveIdsOr(status, tokenizer);
}

}  // namespace spmlite
