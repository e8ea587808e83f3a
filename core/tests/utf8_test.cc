#include "utf8.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace sentencepiece::lite {
namespace {

// The bytes of any value below 2^21, whether or not UTF-8 allows it, in `length`
// bytes.
std::string Spell(uint32_t value, size_t length) {
  if (length == 1) return std::string(1, static_cast<char>(value));
  std::string bytes;
  for (size_t i = 1; i < length; ++i) {
    bytes.insert(bytes.begin(), static_cast<char>(0x80 | (value & 0x3F)));
    value >>= 6;
  }
  static constexpr unsigned kFirst[] = {0, 0, 0xC0, 0xE0, 0xF0};
  bytes.insert(bytes.begin(), static_cast<char>(kFirst[length] | value));
  return bytes;
}

size_t ShortestLength(uint32_t code_point) {
  return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
}

}  // namespace

TEST_CASE("every code point but the surrogates is well formed, and whole") {
  uint32_t well_formed = 0;
  for (uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const size_t length = ShortestLength(code_point);
    const std::string bytes = Spell(code_point, length);
    if (code_point >= 0xD800 && code_point < 0xE000) {
      REQUIRE(WellFormedLength(bytes) == 0);
      continue;
    }
    ++well_formed;
    REQUIRE(WellFormedLength(bytes) == length);
    REQUIRE(CharacterLength(bytes) == length);
    REQUIRE(WellFormedLength(bytes + "\x80") == length);
  }
  CHECK(well_formed == 0x110000 - 0x800);
}

TEST_CASE("overlong forms and values past U+10FFFF are not well formed") {
  for (uint32_t value : {0u, 0x2Fu, 0x7Fu}) {
    for (size_t length = 2; length <= 4; ++length) {
      CHECK(WellFormedLength(Spell(value, length)) == 0);
    }
  }
  CHECK(WellFormedLength(Spell(0x7FF, 3)) == 0);
  CHECK(WellFormedLength(Spell(0xFFFF, 4)) == 0);
  CHECK(WellFormedLength(Spell(0x110000, 4)) == 0);
  CHECK(WellFormedLength(Spell(0x1FFFFF, 4)) == 0);
}

TEST_CASE("a tail that is cut off or foreign is not well formed") {
  for (const std::string whole : {"\xc3\xa9", "\xe2\x96\x81", "\xf0\x9f\xa6\x99"}) {
    for (size_t length = 1; length < whole.size(); ++length) {
      CHECK(WellFormedLength(whole.substr(0, length)) == 0);
      CHECK(WellFormedLength(whole.substr(0, length) + "aaa") == 0);
      CHECK(WellFormedLength(whole.substr(0, length) + "\xff\xff\xff") == 0);
    }
  }
}

TEST_CASE("bytes that begin no character are not well formed, and stand alone") {
  for (unsigned byte = 0x80; byte < 0x100; ++byte) {
    if (byte >= 0xC2 && byte <= 0xF4) continue;
    const std::string bytes(1, static_cast<char>(byte));
    CHECK(WellFormedLength(bytes + "\x80\x80\x80") == 0);
    if (byte < 0xC0) CHECK(CharacterLength(bytes + "\x80\x80\x80") == 1);
  }
}

TEST_CASE("the announced length ends with the text") {
  CHECK(CharacterLength(std::string_view("\xe2")) == 1);
  CHECK(CharacterLength(std::string_view("\xe2\x96")) == 2);
  CHECK(CharacterLength(std::string_view("\xf0\x9f\xa6")) == 3);
  CHECK(CharacterLength(std::string_view("\xf0 a b")) == 4);
}

TEST_CASE("a byte that is no UTF-8 is found at every length and place") {
  for (size_t size = 0; size < 40; ++size) {
    const std::string ascii(size, 'a');
    CHECK(IsWellFormed(ascii));
    for (size_t place = 0; place < size; ++place) {
      std::string text = ascii;
      text[place] = '\x80';
      CHECK_FALSE(IsWellFormed(text));
    }
  }
}

TEST_CASE("a text is well formed when all of its characters are") {
  CHECK(IsWellFormed(""));
  CHECK(IsWellFormed(std::string_view("a\0b", 3)));
  CHECK(IsWellFormed("twelve ASCII bytes, then \xe2\x96\x81 and \xf0\x9f\xa6\x99"));
  CHECK_FALSE(IsWellFormed("twelve ASCII bytes, then \xe2\x96"));
  CHECK_FALSE(IsWellFormed("\xed\xa0\x80 is a surrogate"));
}

}  // namespace sentencepiece::lite
