// Writes protobuf's wire format: https://protobuf.dev/programming-guides/encoding/
// Each function appends one field to a message.

#ifndef SPMLITE_CORE_WIRE_WRITER_H_
#define SPMLITE_CORE_WIRE_WRITER_H_

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "wire_reader.h"

namespace sentencepiece::lite {

inline void AppendVarint(uint64_t value, std::string* message) {
  for (; value >= 0x80; value >>= 7) message->push_back(static_cast<char>(value | 0x80));
  message->push_back(static_cast<char>(value));
}

inline void AppendTag(uint32_t number, WireType wire_type, std::string* message) {
  AppendVarint(uint64_t{number} << 3 | wire_type, message);
}

// A negative number as its 64 bits.
inline void AppendNumber(uint32_t number, uint64_t value, std::string* message) {
  AppendTag(number, kVarint, message);
  AppendVarint(value, message);
}

inline void AppendBytes(uint32_t number, std::string_view bytes, std::string* message) {
  AppendTag(number, kLengthDelimited, message);
  AppendVarint(bytes.size(), message);
  message->append(bytes);
}

inline void AppendFloat(uint32_t number, float value, std::string* message) {
  AppendTag(number, kFixed32, message);
  const auto bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) {
    message->push_back(static_cast<char>(bits >> shift));
  }
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_WIRE_WRITER_H_
