// Step 5: places in the original text, in the unit that is asked for.

#ifndef SPMLITE_CORE_OFFSETS_H_
#define SPMLITE_CORE_OFFSETS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sentencepiece_lite.h"
#include "utf8.h"

namespace sentencepiece::lite {

// Counts along a text: each place it is asked for lies at or after the one
// before.
class UnitCounter {
 public:
  UnitCounter(std::string_view text, OffsetUnit unit) : text_(text), unit_(unit) {}

  // How many units lie before the byte `end`. A byte that is not UTF-8 is one.
  uint32_t CountTo(size_t end) {
    if (unit_ == OffsetUnit::kByte) return static_cast<uint32_t>(end);
    while (byte_ < end) {
      const size_t length = WellFormedLength(text_.substr(byte_));
      byte_ += length == 0 ? 1 : length;
      count_ += length == 4 && unit_ == OffsetUnit::kUtf16 ? 2 : 1;
    }
    return count_;
  }

 private:
  std::string_view text_;
  OffsetUnit unit_;
  size_t byte_ = 0;
  uint32_t count_ = 0;
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_OFFSETS_H_
