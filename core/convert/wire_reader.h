// Reads protobuf's wire format: https://protobuf.dev/programming-guides/encoding/

#ifndef SPMLITE_CORE_WIRE_READER_H_
#define SPMLITE_CORE_WIRE_READER_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "utf8.h"

namespace sentencepiece::lite {

enum WireType : uint32_t {
  kVarint = 0,
  kFixed64 = 1,
  kLengthDelimited = 2,
  kGroupStart = 3,
  kGroupEnd = 4,
  kFixed32 = 5,
};

// protobuf's own limit of nesting.
inline constexpr size_t kMaxGroupDepth = 100;

// Visits the fields of one message; groups are passed over.
class FieldReader {
 public:
  // `message` lies in `file`, from whose front errors count bytes.
  FieldReader(std::string_view message, std::string_view file) : rest_(message), file_(file) {}

  // Moves to the next field; false at the end, and at an error.
  bool Next() {
    while (error_.empty() && !rest_.empty()) {
      start_ = rest_.data();
      ReadTag();
      if (wire_type_ == kGroupStart) {
        groups_.push_back(number_);
        if (groups_.size() > kMaxGroupDepth) Fail("groups nest too deep");
      } else if (wire_type_ == kGroupEnd) {
        if (groups_.empty() || groups_.back() != number_) {
          Fail("a group ends that has not begun");
        } else {
          groups_.pop_back();
        }
      } else {
        ReadValue();
        if (groups_.empty()) return error_.empty();
      }
    }
    if (!groups_.empty()) Fail("a group has no end");
    return false;
  }

  // Each Take copies the field's value if the field has that number and is
  // encoded as that type. TakeMessage calls TakeField(field, message) for each
  // field of the message.
  void Take(uint32_t number, std::string_view* value) const {
    if (Is(number, kLengthDelimited)) *value = bytes_;
  }
  void Take(uint32_t number, bool* value) const {
    if (Is(number, kVarint)) *value = varint_ != 0;
  }
  void Take(uint32_t number, float* value) const {
    if (!Is(number, kFixed32)) return;
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof(bits); ++i) {
      bits |= uint32_t{static_cast<uint8_t>(bytes_[i])} << (8 * i);
    }
    *value = std::bit_cast<float>(bits);
  }
  template <typename Enum>
  void Take(uint32_t number, Enum first, Enum last, Enum* value) const {
    // Enums are 32 bits wide: protobuf drops what is above.
    const auto candidate = static_cast<int32_t>(varint_);
    if (Is(number, kVarint) && candidate >= first && candidate <= last) {
      *value = static_cast<Enum>(candidate);
    }
  }
  template <typename Message>
  [[gnu::noinline]] void TakeMessage(uint32_t number, Message* message) {
    if (!Is(number, kLengthDelimited)) return;
    FieldReader field(bytes_, file_);
    while (field.Next()) TakeField(field, message);
    error_ = field.error_;
  }

  bool Is(uint32_t number, WireType wire_type) const {
    return number_ == number && wire_type_ == wire_type;
  }

  uint32_t number() const { return number_; }
  uint32_t wire_type() const { return wire_type_; }
  // The value, where the wire type is kVarint.
  uint64_t varint() const { return varint_; }
  // The value, where it is any other.
  std::string_view bytes() const { return bytes_; }
  // The field as it is in the message: its tag and its value.
  std::string_view whole() const { return {start_, static_cast<size_t>(rest_.data() - start_)}; }

  // What is wrong and where; empty when nothing is.
  const std::string& error() const { return error_; }

 private:
  void Fail(std::string_view reason) {
    if (!error_.empty()) return;
    error_ = std::string(reason) + " at byte " + std::to_string(rest_.data() - file_.data());
  }

  void ReadTag() {
    const uint64_t tag = ReadVarint();
    number_ = static_cast<uint32_t>(tag >> 3);
    wire_type_ = static_cast<uint32_t>(tag & 7);
    // The largest field number has 29 bits.
    if (number_ == 0 || tag >> 32 != 0) Fail("there is no field number");
  }

  void ReadValue() {
    switch (wire_type_) {
      case kVarint:
        varint_ = ReadVarint();
        return;
      case kFixed64:
        return ReadBytes(sizeof(uint64_t));
      case kLengthDelimited:
        return ReadBytes(ReadVarint());
      case kFixed32:
        return ReadBytes(sizeof(uint32_t));
      default:
        Fail("there is no wire type");
    }
  }

  uint64_t ReadVarint() {
    // Tags and most sizes are one byte.
    if (!rest_.empty() && IsAscii(rest_[0])) {
      const auto value = static_cast<uint8_t>(rest_[0]);
      rest_.remove_prefix(1);
      return value;
    }
    return ReadLongVarint();
  }

  uint64_t ReadLongVarint() {
    uint64_t value = 0;
    // Ten bytes of seven bits hold 64.
    for (size_t i = 0; i < std::min<size_t>(rest_.size(), 10); ++i) {
      const auto byte = static_cast<uint8_t>(rest_[i]);
      value |= uint64_t{byte & 0x7Fu} << (7 * i);
      if (byte < 0x80) {
        rest_.remove_prefix(i + 1);
        return value;
      }
    }
    Fail("a number is cut off or too long");
    return 0;
  }

  void ReadBytes(uint64_t size) {
    if (size > rest_.size()) {
      std::string message = "a field of ";  // a sum of strings makes g++ 12 for i386 warn
      message += std::to_string(size) + " bytes is cut off";
      return Fail(message);
    }
    bytes_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  std::string_view file_;
  const char* start_ = nullptr;  // of the field
  std::string error_;
  std::vector<uint32_t> groups_;  // the numbers of those that have not ended
  uint32_t number_ = 0;
  uint32_t wire_type_ = 0;
  uint64_t varint_ = 0;     // of wire type kVarint
  std::string_view bytes_;  // of every other
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_WIRE_READER_H_
