// The best segmentations of a text by a Unigram model, in order. Apart from the
// runtime, which most programs use without. (Ours; the published lite runtime has
// no such thing.)

#ifndef SENTENCEPIECE_NBEST_H_
#define SENTENCEPIECE_NBEST_H_

#include <string_view>
#include <vector>

#include "sentencepiece_lite.h"

namespace sentencepiece::lite {

struct Segmentation {
  std::vector<int> ids;
  std::vector<std::string_view> pieces;  // views into the normalized text
  float score = 0;                       // the sum of the scores of its pieces
};

// The `size` best segmentations (1 to 512) of normalized text, best first, as the
// oracle finds and orders them; of a size of 1 the score is 0, as there. An empty
// text has one, without ids. kInvalidArgument unless the model is Unigram.
StatusCode NBestNormalized(const SentencePieceLiteProcessor& processor, std::string_view normalized,
                           int size, std::vector<Segmentation>* segmentations);

// Draws one of the `size` best ones with a probability in proportion to P^alpha;
// `uniform_sampler` gives a number in [0, 1), `alpha` is finite and not negative.
StatusCode SampleNBestNormalized(const SentencePieceLiteProcessor& processor,
                                 std::string_view normalized, int size, float alpha,
                                 FunctionRef<float()> uniform_sampler, Segmentation* segmentation);

}  // namespace sentencepiece::lite

#endif  // SENTENCEPIECE_NBEST_H_
