// From sentencepiece's own model file to a .spm.fb, without protobuf.

#ifndef SENTENCEPIECE_MODEL_CONVERTERS_H_
#define SENTENCEPIECE_MODEL_CONVERTERS_H_

#include <string>
#include <string_view>
#include <utility>

#include "sentencepiece_lite.h"

namespace sentencepiece::lite {

// A value, or the reason why there is none; read as absl::StatusOr is read.
template <typename T>
class [[nodiscard]] StatusOr {
 public:
  StatusOr(T value)  // NOLINT(google-explicit-constructor)
      : value_(std::move(value)) {}
  StatusOr(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  // One sentence that names the piece, field or byte at fault; empty when ok().
  std::string_view message() const { return message_; }

  T& operator*() & { return value_; }
  const T& operator*() const& { return value_; }
  T&& operator*() && { return std::move(value_); }

 private:
  T value_{};
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// Converts the bytes of a `.model` file (a serialized sentencepiece.ModelProto),
// or of a `.spm`, which is the same as text. The result loads in
// SentencePieceLiteProcessor, on little-endian machines. Takes about the size of
// the model in memory, three times.
StatusOr<std::string> ToFlatbuffer(std::string_view serialized_model);

}  // namespace sentencepiece::lite

#endif  // SENTENCEPIECE_MODEL_CONVERTERS_H_
