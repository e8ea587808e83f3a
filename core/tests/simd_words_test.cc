// The twin for compilers without vectors, by a name of its own: one program has both.
#define SPMLITE_NO_SIMD
#define LeadingLetters LeadingLettersInWords
#include <doctest/doctest.h>

#include "leading_letters.h"
#include "simd.h"

namespace sentencepiece::lite {

TEST_CASE("letters are found by words of 64 bits") { CheckLeadingLetters(LeadingLettersInWords); }

}  // namespace sentencepiece::lite
