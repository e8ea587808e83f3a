#include "normalizing.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "characters.h"
#include "results.h"

namespace spmlite {

using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::StatusCode;

namespace {

// From bytes to characters on both sides. As in the oracle, an empty text,
// which has no offsets in bytes, has one in characters.
std::vector<size_t> InCharacters(std::string_view text, std::string_view normalized,
                                 const std::vector<size_t>& offsets) {
  const std::vector<uint32_t> from = CharacterOfByte(normalized);
  const std::vector<uint32_t> to = CharacterOfByte(text);
  std::vector<size_t> result(from.back() + 1, 0);
  for (size_t i = 0; i < offsets.size(); ++i) result[from[i]] = to[offsets[i]];
  return result;
}

}  // namespace

PyObject* Normalize(const SentencePieceLiteProcessor& processor, const Text& text) {
  std::string normalized;
  {
    const GilReleased released;
    processor.Normalize(text.utf8, &normalized);  // fails without a model alone
  }
  return MakeText(normalized, text.is_bytes);
}

PyObject* NormalizeWithOffsets(const SentencePieceLiteProcessor& processor, const Text& text) {
  if (!CheckLoaded(processor)) return nullptr;
  std::string normalized;
  std::vector<size_t> offsets;
  StatusCode status;
  {
    const GilReleased released;
    status = processor.Normalize(text.utf8, &normalized, &offsets);
    if (status == StatusCode::kOk && !text.is_bytes) {
      offsets = InCharacters(text.utf8, normalized, offsets);
    }
  }
  if (status != StatusCode::kOk) return SetInternalError("normalize");
  const Reference result(MakeText(normalized, text.is_bytes));
  const Reference list(
      MakeList(offsets.size(), [&](size_t i) { return PyLong_FromSize_t(offsets[i]); }));
  if (!result || !list) return nullptr;
  return PyTuple_Pack(2, result.get(), list.get());
}

}  // namespace spmlite
