// The twin for compilers without vectors, by names of its own: one program has all of them.
#define SPMLITE_NO_SIMD
#define LeadingBytes LeadingBytesOneByOne
#define LeadingLetters LeadingLettersOneByOne
#include <doctest/doctest.h>

#include "leading_letters.h"
#include "simd.h"

namespace sentencepiece::lite {

TEST_CASE("letters are found byte by byte") {
  CheckLeadingLetters(LeadingLettersOneByOne);
  CheckLeadingBytes(LeadingBytesOneByOne);
}

}  // namespace sentencepiece::lite
