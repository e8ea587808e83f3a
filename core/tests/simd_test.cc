#include "simd.h"

#include <doctest/doctest.h>

#include "leading_letters.h"

namespace sentencepiece::lite {

TEST_CASE("letters are found sixteen bytes at a time") {
  CheckLeadingLetters(LeadingLetters);
  CheckLeadingBytes(LeadingBytes);
}

}  // namespace sentencepiece::lite
