// What LeadingLetters of simd.h gives, whichever way it is compiled.

#ifndef SPMLITE_CORE_TESTS_LEADING_LETTERS_H_
#define SPMLITE_CORE_TESTS_LEADING_LETTERS_H_

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

namespace sentencepiece::lite {

inline void CheckLeadingLetters(size_t (*leading_letters)(const char*)) {
  size_t count = 0;
  for (size_t place = 0; place < 16; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      // Behind the byte in question stands one that is surely no letter, and more letters.
      std::string text = "azAZmMbyBYnNcxCX";
      text[place] = static_cast<char>(byte);
      if (place + 1 < text.size()) text[place + 1] = ' ';
      const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
      REQUIRE(leading_letters(text.data()) == place + (is_letter ? 1 : 0));
      ++count;
    }
  }
  MESSAGE(count << " texts of sixteen bytes");
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TESTS_LEADING_LETTERS_H_
