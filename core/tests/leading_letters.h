// What simd.h finds, whichever way it is compiled.

#ifndef SPMLITE_CORE_TESTS_LEADING_LETTERS_H_
#define SPMLITE_CORE_TESTS_LEADING_LETTERS_H_

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
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

inline void CheckLeadingBytes(size_t (*leading_bytes)(const char*, uint8_t, uint8_t, uint8_t)) {
  size_t count = 0;
  for (int first = 0; first < 256; first += 5) {
    for (const int size : {1, 2, 26, 94, 127, 128, 129, 254, 255}) {
      for (int byte = 0; byte < 256; ++byte) {
        const size_t place = static_cast<size_t>(byte) % 16;
        std::string text(16, static_cast<char>(first));
        text[place] = static_cast<char>(byte);
        const bool is_one = static_cast<uint8_t>(byte - first) < size;
        REQUIRE(leading_bytes(text.data(), static_cast<uint8_t>(first), static_cast<uint8_t>(size),
                              0) == (is_one ? 16 : place));
        ++count;
      }
    }
  }
  MESSAGE(count << " texts and ranges of bytes");
}

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_TESTS_LEADING_LETTERS_H_
