// The checksum of a .spm.fb: it tells an altered file from a sound one without
// looking up every piece. Against accidents, not against forgery.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sentencepiece_lite_generated.h"

namespace sentencepiece::lite {

// Four lanes of multiply and rotate, as in xxHash's XXH64, whose first two primes
// these are (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md). Each step is
// invertible, so a change within one 8-byte word always shows.
inline void MixInto(std::array<uint64_t, 4>* lanes, std::string_view bytes) {
  std::array<uint64_t, 4> mixed = *lanes;  // in registers
  while (!bytes.empty()) {
    std::array<uint64_t, 4> words = {};
    const size_t size = std::min(bytes.size(), sizeof(words));
    // A size that the compiler knows, but for the end.
    if (size == sizeof(words)) std::memcpy(words.data(), bytes.data(), sizeof(words));
    if (size < sizeof(words)) std::memcpy(words.data(), bytes.data(), size);
    for (size_t lane = 0; lane * sizeof(uint64_t) < size; ++lane) {
      const uint64_t word = (mixed[lane] + words[lane]) * 0xC2B2AE3D27D4EB4Fu;
      mixed[lane] = std::rotl(word, 31) * 0x9E3779B185EBCA87u;
    }
    bytes.remove_prefix(size);
  }
  *lanes = mixed;
}

// Where a verified `blob` keeps its checksum, or 0 where it has none.
inline size_t ChecksumOffset(std::string_view blob) {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(blob.data());
  const uint8_t* field =
      flatbuffers::GetRoot<flatbuffers::Table>(bytes)->GetAddressOf(ModelProto::VT_CHECKSUM);
  return field == nullptr ? 0 : static_cast<size_t>(field - bytes);
}

// Of every byte of `blob` but the eight at `checksum_offset`, where the result
// is kept.
inline uint64_t BlobChecksum(std::string_view blob, size_t checksum_offset) {
  std::array<uint64_t, 4> lanes = {1, 2, 3, 4};
  MixInto(&lanes, blob.substr(0, checksum_offset));
  MixInto(&lanes, blob.substr(checksum_offset + sizeof(uint64_t)));
  std::array<uint64_t, 4> result = {blob.size(), 0, 0, 0};
  MixInto(&result, {reinterpret_cast<const char*>(lanes.data()), sizeof(lanes)});
  return result[0] ^ std::rotl(result[1], 16) ^ std::rotl(result[2], 32) ^ std::rotl(result[3], 48);
}

}  // namespace sentencepiece::lite
