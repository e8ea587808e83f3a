// What compilers make for machines other than x86, by names of its own.
#undef __SSE2__
#define LeadingBytes LeadingBytesByVectors
#define LeadingLetters LeadingLettersByVectors
#include <doctest/doctest.h>

#include "leading_letters.h"
#include "simd.h"

namespace sentencepiece::lite {

TEST_CASE("letters are found by the compiler's vectors") {
  CheckLeadingLetters(LeadingLettersByVectors);
  CheckLeadingBytes(LeadingBytesByVectors);
}

}  // namespace sentencepiece::lite
