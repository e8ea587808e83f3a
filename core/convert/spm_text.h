// `.spm`: a model as text that people can read, compare and review.
//
// One line for each id, in their order: the piece in base64, its score as the fewest
// decimal digits that give the same float32 back, its type as the number that
// ModelProto.SentencePiece.Type has for it. What follows a `#` is a comment. A comment
// that is a line of its own may be a field of the header, which says what such lines
// alone leave out:
//
//   # .spm 1
//   # pieces: 2
//   # trainer_spec.model_type: BPE
//   # normalizer_spec.name: "identity"
//   PHVuaz4= 0.0 2
//   YQ== -1.0 1
//
// The fields are those of sentencepiece_model.proto (docs/spm.md has the whole format).
// A file without any is plain: it needs a recipe, or at least an algorithm, from
// whoever reads it.

#ifndef SPMLITE_CORE_SPM_TEXT_H_
#define SPMLITE_CORE_SPM_TEXT_H_

#include <string>
#include <string_view>

#include "sentencepiece_model_converters.h"

namespace sentencepiece::lite {

// Whether bytes look like a `.spm`, by those in front: 512 of them are enough, but for
// files that begin with a very long piece.
bool IsSpmText(std::string_view bytes);

// What a reader adds to a file.
struct SpmTextAdditions {
  // `gemma`, `llama2` or `t5`: what the models of that family have in common. For
  // plain files alone.
  std::string_view recipe = {};
  // Lines as of a header, with or without the `#`; they replace what the file or the
  // recipe says.
  std::string_view fields = {};
  // What `rule:NAME`, in place of a charsmap in base64, stands for; empty when that is
  // not at hand.
  std::string_view named_charsmap = {};
};

// A `.spm` as the bytes of a `.model`. An error names the line.
StatusOr<std::string> SpmTextToModel(std::string_view text, const SpmTextAdditions& additions = {});

// How a `.spm` is written.
struct SpmTextStyle {
  // Without a header: loses all that is no piece.
  bool is_plain = false;
  // Each piece and its type in a comment behind it.
  bool has_comments = false;
  // `rule:` and this are written in place of the normalizer's charsmap, which must be the
  // one of that name.
  std::string_view charsmap_rule = {};
};

// The bytes of a `.model` as a `.spm`. An error names the piece that the format cannot
// hold: an empty one, one that is no UTF-8, a NaN of unusual bits.
StatusOr<std::string> ModelToSpmText(std::string_view model, const SpmTextStyle& style = {});

// The header alone, of bytes that are a `.model`: a line for each field that is there.
std::string SpmTextHeader(std::string_view model);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_SPM_TEXT_H_
