#include "decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <system_error>

namespace sentencepiece::lite {
namespace {

// Python's repr writes an exponent below 1e-4 and from 1e16 on.
constexpr int kSmallestExponent = -4;
constexpr int kExponents = 16;

#ifdef __cpp_lib_to_chars

bool ParseFinite(std::string_view text, float* value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && rest == end;
}

#else

// libc++ has no from_chars for floats before LLVM 20. The libraries that come with it
// read numbers in the C locale's form unless the program has asked for another one.
bool ParseFinite(std::string_view text, float* value) {
  const std::string copy(text);
  char* end = nullptr;
  *value = std::strtof(copy.c_str(), &end);
  return end == copy.c_str() + copy.size() && std::isfinite(*value);
}

#endif

}  // namespace

void AppendDecimal(float value, std::string* text) {
  if (!std::isfinite(value)) {
    text->append(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  // Sign, nine digits, a point, an exponent of two digits.
  char buffer[20];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific);
  std::string_view written(buffer, static_cast<size_t>(end - buffer));
  if (written.front() == '-') {
    text->push_back('-');
    written.remove_prefix(1);
  }
  const size_t e = written.find('e');
  const int exponent = std::atoi(std::string(written.substr(e + 1)).c_str());
  if (exponent < kSmallestExponent || exponent >= kExponents) {
    text->append(written);
    return;
  }
  std::string digits(written.substr(0, 1));
  if (e > 1) digits.append(written.substr(2, e - 2));
  const auto before_point = static_cast<size_t>(std::max(exponent, 0)) + 1;
  if (exponent < 0) digits.insert(0, static_cast<size_t>(-exponent), '0');
  if (digits.size() <= before_point) digits.append(before_point + 1 - digits.size(), '0');
  text->append(digits, 0, before_point).append(1, '.').append(digits, before_point);
}

bool ParseDecimal(std::string_view text, float* value) {
  const bool is_negative = text.starts_with('-');
  const std::string_view magnitude = text.substr(is_negative ? 1 : 0);
  if (magnitude == "inf") {
    *value = std::numeric_limits<float>::infinity() * (is_negative ? -1.0f : 1.0f);
    return true;
  }
  if (text == "nan") {
    *value = std::numeric_limits<float>::quiet_NaN();
    return true;
  }
  if (magnitude.empty() || magnitude.find_first_not_of("0123456789.eE+-") != text.npos)
    return false;
  return ParseFinite(text, value);
}

}  // namespace sentencepiece::lite
