// A column of texts to one of ids, and back, over threads.

#ifndef SPMLITE_PY_ARROW_CONVERSION_H_
#define SPMLITE_PY_ARROW_CONVERSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "arrow_interface.h"
#include "arrow_output.h"
#include "sentencepiece_lite.h"

namespace spmlite {

using sentencepiece::lite::SentencePieceLiteProcessor;

// What went wrong, to be raised once the GIL is held.
struct Problem {
  enum class Kind { kNone, kType, kValue, kIndex, kRuntime, kMemory };
  Kind kind = Kind::kNone;
  std::string message;

  explicit operator bool() const { return kind != Kind::kNone; }
};

struct ConversionOptions {
  RowKind to = RowKind::kIds;
  int framing = 0;  // kAddBos, kAddEos and kReverse of Options
  int threads = 1;
  int64_t max_end = INT32_MAX;  // more values than this make a large column
};

// Converts a column without touching a Python object. The rows of the result are those of
// the input; what is null stays null. `first_row` is what messages call the first row.
// Besides input and result, it takes memory for some shares of the text a thread and for a
// token cache a thread (1.5 MB), and for one row twice.
Problem Convert(const SentencePieceLiteProcessor& processor, const ArrowSchema& schema,
                const ArrowArray& array, const ConversionOptions& options, size_t first_row,
                std::shared_ptr<ArrowColumn>* column);

// A column without rows.
Problem ConvertNothing(const ConversionOptions& options, std::shared_ptr<ArrowColumn>* column);

}  // namespace spmlite

#endif  // SPMLITE_PY_ARROW_CONVERSION_H_
