#include "characters.h"

#include <algorithm>
#include <cstddef>

namespace spmlite {
namespace {

// By the upper four bits of a first byte; a stray continuation counts as one.
constexpr uint8_t kLengths[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};

}  // namespace

std::vector<uint32_t> CharacterOfByte(std::string_view text) {
  std::vector<uint32_t> characters;
  characters.reserve(text.size() + 1);
  uint32_t character = 0;
  while (characters.size() < text.size()) {
    const auto first = static_cast<unsigned char>(text[characters.size()]);
    const size_t end = characters.size() + kLengths[first >> 4];
    characters.resize(std::min(end, text.size()), character++);
  }
  characters.push_back(character);
  return characters;
}

}  // namespace spmlite
