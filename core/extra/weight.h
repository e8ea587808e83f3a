// Shares of many possibilities, for drawing one of them.

#ifndef SPMLITE_EXTRA_WEIGHT_H_
#define SPMLITE_EXTRA_WEIGHT_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace sentencepiece::lite {

// A positive number: mantissa * 2^exponent, since the probabilities of long texts are
// less than a double holds. Of additions, multiplications and divisions alone, which
// round alike everywhere: std::exp and std::log do not, and draws would differ from
// one platform to the next.
class Weight {
 public:
  // e^power, to about 15 digits.
  static Weight Exp(double power) {
    constexpr double kLn2 = 0.69314718055994530942;
    const double exponent = std::floor(power / kLn2 + 0.5);
    double rest = power - exponent * kLn2;
    // Of huge powers no digit is left that could count.
    if (!(std::abs(rest) < 1)) rest = 0;
    double sum = 1;  // of the Taylor series, from its last term on
    for (int term = 16; term > 0; --term) sum = 1 + sum * rest / term;
    return Weight(sum, exponent);
  }

  Weight operator*(const Weight& other) const {
    return Weight(mantissa_ * other.mantissa_, exponent_ + other.exponent_);
  }
  Weight operator+(const Weight& other) const {
    if (exponent_ < other.exponent_) return other + *this;
    return Weight(mantissa_ + other.mantissa_ * Power(other.exponent_ - exponent_), exponent_);
  }
  // Which share of `whole`, at most 1 but for rounding, it is.
  double In(const Weight& whole) const {
    return mantissa_ / whole.mantissa_ * Power(exponent_ - whole.exponent_);
  }

 private:
  // The parts of a double (IEEE 754): its exponent, off by kBias, is above the mantissa.
  static constexpr int kMantissaBits = 52;
  static constexpr int kBias = 1023;

  // `mantissa` is at least a half; it is kept below 2, so that products stay finite.
  Weight(double mantissa, double exponent) {
    const uint64_t bits = std::bit_cast<uint64_t>(mantissa);
    const int shift = static_cast<int>(bits >> kMantissaBits) - kBias;
    mantissa_ = std::bit_cast<double>(bits - (static_cast<uint64_t>(shift) << kMantissaBits));
    exponent_ = exponent + shift;
  }

  // 2^exponent; 0 where that is too little to count.
  static double Power(double exponent) {
    if (!(exponent > -kBias)) return 0;
    return std::bit_cast<double>(static_cast<uint64_t>(kBias + static_cast<int>(exponent))
                                 << kMantissaBits);
  }

  double mantissa_;
  double exponent_;  // a whole number, and larger than an int for some scores
};

}  // namespace sentencepiece::lite

#endif  // SPMLITE_EXTRA_WEIGHT_H_
