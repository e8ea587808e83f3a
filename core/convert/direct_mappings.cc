#include "direct_mappings.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "bpe.h"
#include "emitter.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// The published converter looks no further for direct mappings
// (kMaxDirectMappingPieceLength of its sentencepiece_model_converters.cc).
constexpr size_t kMaxDirectMappingSize = 128;

class Asker {
 public:
  explicit Asker(const Model& model) : model_(model), encoder_(model, Spaces::kLiteral) {}

  // A function of its own, since V8 compiles for speed what is called often, and not what runs
  // for long.
  [[gnu::noinline]] bool EncodesToItself(std::string_view piece, int id) {
    if (piece.size() > kMaxDirectMappingSize) return false;
    Emitter emitter(model_, Spaces::kLiteral, &ids_, nullptr);
    emitter.ReserveChunk(piece.size());
    encoder_.Encode(piece, &emitter);
    return emitter.size() == 1 && emitter.ids()[0] == id;
  }

 private:
  const Model& model_;
  BpeEncoder encoder_;
  std::vector<int> ids_;
};

}  // namespace

DirectMappings FindDirectMappings(const std::vector<TrieEntry>& sorted, const Model& model) {
  DirectMappings result;
  result.flags.assign(static_cast<size_t>(model.size()), 1);
  Asker asker(model);
  // In their order neighbours share most of their ways through the trie.
  for (const auto& [piece, value] : sorted) {
    const int id = static_cast<int>(value);
    if (!model.IsVisible(id)) continue;
    const bool is_direct = asker.EncodesToItself(piece, id);
    result.has_any |= is_direct;
    result.flags[value] = is_direct;
  }
  const bool all = std::count(result.flags.begin(), result.flags.end(), 0) == 0;
  if (all || !result.has_any) result.flags.clear();
  return result;
}

}  // namespace sentencepiece::lite
