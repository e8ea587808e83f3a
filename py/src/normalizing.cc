#include "normalizing.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "results.h"

namespace spmlite {

using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::StatusCode;

namespace {

bool StartsCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// By byte of UTF-8, the number of the character that it belongs to; the last
// entry is the number of characters.
std::vector<size_t> CharacterOfByte(std::string_view text) {
  std::vector<size_t> characters;
  characters.reserve(text.size() + 1);
  size_t started = 0;
  for (const char byte : text) {
    if (StartsCharacter(byte)) ++started;
    characters.push_back(std::max<size_t>(started, 1) - 1);
  }
  characters.push_back(started);
  return characters;
}

// From bytes to characters on both sides. As in the oracle, an empty text,
// which has no offsets in bytes, has one in characters.
std::vector<size_t> InCharacters(std::string_view text,
                                 std::string_view normalized,
                                 const std::vector<size_t>& offsets) {
  const std::vector<size_t> from = CharacterOfByte(normalized);
  const std::vector<size_t> to = CharacterOfByte(text);
  std::vector<size_t> result(from.back() + 1, 0);
  for (size_t i = 0; i < offsets.size(); ++i) result[from[i]] = to[offsets[i]];
  return result;
}

}  // namespace

PyObject* Normalize(const SentencePieceLiteProcessor& processor,
                    const Text& text) {
  std::string normalized;
  {
    const GilReleased released;
    processor.Normalize(text.utf8, &normalized);  // fails without a model alone
  }
  return MakeText(normalized, text.is_bytes);
}

PyObject* NormalizeWithOffsets(const SentencePieceLiteProcessor& processor,
                               const Text& text) {
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
  const Reference list(MakeList(
      offsets.size(), [&](size_t i) { return PyLong_FromSize_t(offsets[i]); }));
  if (!result || !list) return nullptr;
  return PyTuple_Pack(2, result.get(), list.get());
}

}  // namespace spmlite
