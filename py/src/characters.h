// Characters, as Python counts them, and UTF-16 units.

#ifndef SPMLITE_PY_CHARACTERS_H_
#define SPMLITE_PY_CHARACTERS_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace spmlite {

// By byte of `text`, the number of the character that it belongs to; one more entry
// is the number of characters. Where bytes are not UTF-8, a first byte takes as many
// bytes along as it announces: so the oracle counts.
std::vector<uint32_t> CharacterOfByte(std::string_view text);

// The same in UTF-16 units: characters of four bytes have two.
std::vector<uint32_t> Utf16UnitOfByte(std::string_view text);

}  // namespace spmlite

#endif  // SPMLITE_PY_CHARACTERS_H_
