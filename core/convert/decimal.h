// float32 as decimal text that gives the same bits back.

#ifndef SPMLITE_CORE_DECIMAL_H_
#define SPMLITE_CORE_DECIMAL_H_

#include <string>
#include <string_view>

namespace sentencepiece::lite {

// The fewest digits that are nearer to `value` than to any other float32, written as
// Python writes numbers: "-1.0", "1e-05"; "inf", "-inf" and "nan".
void AppendDecimal(float value, std::string* text);

// The float32 nearest to a decimal number, in any of the forms that AppendDecimal
// uses; no locale matters. False for other text and where float32 does not reach.
[[nodiscard]] bool ParseDecimal(std::string_view text, float* value);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_DECIMAL_H_
