// Cutting texts to a number of tokens, where tokens end.

#ifndef SPMLITE_EXTRA_SPLITTING_H_
#define SPMLITE_EXTRA_SPLITTING_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "cached_sentencepiece_lite.h"
#include "sentencepiece_lite.h"

namespace sentencepiece::lite {

// A part of a text, and how many ids Encode gives for it alone.
struct TextPart {
  TokenSpan span;
  size_t token_count;
};

// The longest front of `text` that ends where a token does and has at most
// `max_tokens`: whose ids are the first ones of the text, where there is such a one
// close to the limit. Takes the time of encoding the text.
StatusCode Truncate(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                    std::string_view text, size_t max_tokens, OffsetUnit unit, TextPart* part);

// Parts of at most `max_tokens` (1 or more) that hold all tokens of `text` in order;
// up to `overlap` of them (fewer than `max_tokens`) are at the end of one part and at
// the beginning of the next as well. A part is cut so that its ids are those that it
// has within the text, where the model allows it: one that puts a space in front needs
// a cut at a space, which is then left out, being put in front again. Elsewhere only
// the number of tokens is kept. It can be exceeded only by what cannot be cut: one
// character, or what one token stands for. Spaces that give no token are in no part.
StatusCode Split(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                 std::string_view text, size_t max_tokens, size_t overlap, OffsetUnit unit,
                 std::vector<TextPart>* parts);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_EXTRA_SPLITTING_H_
