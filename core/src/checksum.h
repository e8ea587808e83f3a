// The checksum of a .spm.fb: it tells an altered file from a sound one without
// looking up every piece. Against accidents, not against forgery.

#ifndef SPMLITE_CORE_CHECKSUM_H_
#define SPMLITE_CORE_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sentencepiece_lite_generated.h"

namespace sentencepiece::lite {

// Four lanes of multiply and rotate, as in xxHash's XXH64, whose first two
// primes these are (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
// Each step is invertible, so a change within one 8-byte word always shows.
class ChecksumLanes {
 public:
  void Add(std::string_view bytes) {
    while (bytes.size() >= sizeof(uint64_t) * 4) {
      for (size_t lane = 0; lane < 4; ++lane) {
        Mix(lane, Load(bytes.data() + lane * sizeof(uint64_t), 8));
      }
      bytes.remove_prefix(sizeof(uint64_t) * 4);
    }
    for (size_t lane = 0; !bytes.empty(); ++lane) {
      const size_t size = bytes.size() < 8 ? bytes.size() : 8;
      Mix(lane, Load(bytes.data(), size));
      bytes.remove_prefix(size);
    }
  }

  uint64_t Result(uint64_t length) const {
    uint64_t result = length;
    for (const uint64_t lane : lanes_) result = Round(result ^ lane);
    return result ^ (result >> 32);
  }

 private:
  static constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87u;
  static constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;

  static uint64_t Load(const char* bytes, size_t size) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    return word;
  }
  static uint64_t Round(uint64_t word) {
    word *= kPrime2;
    return ((word << 31) | (word >> 33)) * kPrime1;
  }
  void Mix(size_t lane, uint64_t word) { lanes_[lane] = Round(lanes_[lane] + word); }

  uint64_t lanes_[4] = {kPrime1, kPrime2, ~kPrime1, ~kPrime2};
};

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
  ChecksumLanes lanes;
  lanes.Add(blob.substr(0, checksum_offset));
  lanes.Add(blob.substr(checksum_offset + sizeof(uint64_t)));
  return lanes.Result(blob.size());
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_CHECKSUM_H_
