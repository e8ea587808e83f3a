// Base64 with padding, as RFC 4648 section 4 has it.

#ifndef SPMLITE_CORE_BASE64_H_
#define SPMLITE_CORE_BASE64_H_

#include <string>
#include <string_view>

namespace sentencepiece::lite {

void AppendBase64(std::string_view bytes, std::string* text);

// Appends the bytes that `text` stands for. False, with some of them appended, where
// it is no base64: another character, a length that is no multiple of 4, bits that
// belong to no byte.
[[nodiscard]] bool AppendFromBase64(std::string_view text, std::string* bytes);

}  // namespace sentencepiece::lite

#endif  // SPMLITE_CORE_BASE64_H_
