// A trie in one array of 32-bit units, read where it lies in the model.
//
// The layout is that of Darts-clone (https://github.com/s-yata/darts-clone). A
// node is the position of its unit; the child of `node` for a byte stands at
// node ^ offset(node) ^ byte and carries that byte as its label.
//   bits 0..7   label
//   bit  8      a key ends here: its value stands at the child for byte 0
//   bit  9      the offset is scaled by 256
//   bits 10..30 offset
//   bit  31     the unit is a value (bits 0..30), not a node

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "utf8.h"

namespace sentencepiece::lite {

class DoubleArray {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNoNode = ~uint32_t{0};
  static constexpr int32_t kNoValue = -1;
  // The oracle refuses longer pieces (kMaxPieceSize of its model_interface.cc).
  static constexpr size_t kMaxKeySize = 7999;

  // LongestPrefix will look at the `most` shortest keys that a text begins with.
  explicit DoubleArray(size_t most = kMaxKeySize) : most_(most) {}

  // Takes `size` bytes at `data`, which must stay. False unless no walk over
  // any text can leave the array and every value is below `value_limit`: then
  // the walks below need no check of their own. What is not `checked` is
  // trusted to be so.
  bool Attach(const uint8_t* data, size_t size, uint32_t value_limit, bool checked = true) {
    if (size == 0 || size % kBlockBytes != 0) return false;
    if (reinterpret_cast<uintptr_t>(data) % sizeof(uint32_t) != 0) return false;
    units_ = reinterpret_cast<const uint32_t*>(data);
    size_ = static_cast<uint32_t>(size / sizeof(uint32_t));
    if (!checked || IsClosed(value_limit)) return true;
    *this = DoubleArray(most_);
    return false;
  }

  bool empty() const { return size_ == 0; }

  // The child of `node` for `byte`, or kNoNode.
  uint32_t Step(uint32_t node, unsigned char byte) const {
    const uint32_t child = node ^ Offset(units_[node]) ^ byte;
    return Label(units_[child]) == byte ? child : kNoNode;
  }

  // The same for a byte of a text with such spaces.
  uint32_t Step(uint32_t node, char c, Spaces spaces) const {
    if (c == ' ' && spaces == Spaces::kMark) return Walk(node, kSpaceMark);
    return Step(node, static_cast<unsigned char>(c));
  }

  // Where `text` leads to from `node` (kNoNode stays kNoNode).
  uint32_t Walk(uint32_t node, std::string_view text, Spaces spaces = Spaces::kLiteral) const {
    for (const char c : text) {
      if (node == kNoNode) break;
      node = Step(node, c, spaces);
    }
    return node;
  }

  // The value of the key that ends at `node`, or kNoValue.
  int32_t Value(uint32_t node) const {
    if (node == kNoNode || !HasValue(units_[node])) return kNoValue;
    return static_cast<int32_t>(units_[node ^ Offset(units_[node])] & 0x7FFFFFFFu);
  }

  // The value of `key`, or kNoValue.
  int32_t Find(std::string_view key, Spaces spaces = Spaces::kLiteral) const {
    return empty() ? kNoValue : Value(Walk(kRoot, key, spaces));
  }

  // Calls visit(value, length) for each key that `text` begins with, shortest
  // first, up to kMaxKeySize bytes: in a hostile array a walk may come back to
  // where it was.
  template <typename Visit>
  void ForEachPrefix(std::string_view text, Spaces spaces, Visit&& visit) const {
    if (empty()) return;
    const size_t end = std::min(text.size(), kMaxKeySize);
    uint32_t node = kRoot;
    for (size_t i = 0; i < end; ++i) {
      node = Step(node, text[i], spaces);
      if (node == kNoNode) return;
      if (HasValue(units_[node])) visit(Value(node), i + 1);
    }
  }

  struct Match {
    int32_t value = kNoValue;
    size_t length = 0;
  };

  // The longest key that `text` begins with; length 0 when there is none.
  Match LongestPrefix(std::string_view text, Spaces spaces = Spaces::kLiteral) const {
    Match longest;
    size_t found = 0;
    ForEachPrefix(text, spaces, [&](int32_t value, size_t length) {
      if (found++ < most_) longest = {value, length};
    });
    return longest;
  }

 private:
  static constexpr size_t kBlockBytes = 256 * sizeof(uint32_t);

  static bool IsValue(uint32_t unit) { return (unit >> 31) != 0; }
  static bool HasValue(uint32_t unit) { return ((unit >> 8) & 1) != 0; }
  // With the value bit kept, so that a value never equals a byte.
  static uint32_t Label(uint32_t unit) { return unit & 0x800000FFu; }
  static uint32_t Offset(uint32_t unit) {
    return (unit & 0x200u) != 0 ? (unit >> 2) & ~uint32_t{0xFF} : unit >> 10;
  }

  // Without a branch: which units have values could not be foretold.
  bool IsClosed(uint32_t value_limit) const {
    // Its highest bit stays while all is sound.
    uint32_t sound = IsValue(units_[kRoot]) || HasValue(units_[kRoot]) ? 0 : ~uint32_t{0};
    for (uint32_t node = 0; node < size_; ++node) {
      const uint32_t unit = units_[node];
      // The children of a node share all but the low eight bits of their
      // position, so the largest of them tells for all.
      const uint32_t last_child = (node ^ Offset(unit)) | 0xFF;
      const uint32_t is_value = 0 - (unit >> 31);
      const uint32_t position = (unit & 0x7FFFFFFFu & is_value) | (last_child & ~is_value);
      sound &= position - ((value_limit & is_value) | (size_ & ~is_value));
      // A value must stand where a key says that it does.
      const uint32_t has_value = 0 - ((unit << 23 & ~unit) >> 31);
      sound &= units_[std::min(node ^ (Offset(unit) & has_value), size_ - 1)] | ~has_value;
    }
    return sound >> 31 != 0;
  }

  const uint32_t* units_ = nullptr;
  uint32_t size_ = 0;
  size_t most_;
};

}  // namespace sentencepiece::lite
