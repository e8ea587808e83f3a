#include "characters.h"

#include <algorithm>
#include <cstddef>

namespace spmlite {
namespace {

// By the upper four bits of a first byte; a stray continuation counts as one.
constexpr uint8_t kLengths[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};

// `longest_counts`: how many a character of four bytes is.
std::vector<uint32_t> CountByByte(std::string_view text, uint32_t longest_counts) {
  std::vector<uint32_t> places;
  places.reserve(text.size() + 1);
  uint32_t place = 0;
  while (places.size() < text.size()) {
    const auto first = static_cast<unsigned char>(text[places.size()]);
    const size_t length = kLengths[first >> 4];
    places.resize(std::min(places.size() + length, text.size()), place);
    place += length == 4 ? longest_counts : 1;
  }
  places.push_back(place);
  return places;
}

}  // namespace

std::vector<uint32_t> CharacterOfByte(std::string_view text) { return CountByByte(text, 1); }

std::vector<uint32_t> Utf16UnitOfByte(std::string_view text) { return CountByByte(text, 2); }

}  // namespace spmlite
