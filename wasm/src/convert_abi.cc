// The converter module: a C interface over ModelToFlatbuffer.
//
// A host writes a `.model` into a block of spmlite_allocate (memory.cc),
// calls, and reads the Outcome (exports.h) that lies at the conversion's own address:
// its text is the blob or, where the status is not 0, one sentence that says
// what is wrong with the model.
//
//   spmlite_convert(model, size) -> conversion   takes the block over; never 0
//   spmlite_status(conversion)                   0 where there is a blob
//   spmlite_destroy(conversion)                  and its blob

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "exports.h"
#include "model_to_flatbuffer.h"

namespace spmlite {

using sentencepiece::lite::ModelToFlatbuffer;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::StatusOr;

struct Conversion {
  explicit Conversion(StatusOr<std::string> converted) : blob(std::move(converted)) {
    outcome.GiveText(blob.ok() ? std::string_view(*blob) : blob.message());
  }
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  Outcome outcome;  // first: hosts read it at the conversion's address
  StatusOr<std::string> blob;
};

SPMLITE_EXPORT(spmlite_convert)
Conversion* spmlite_convert(char* model, size_t size) {
  auto* conversion = new Conversion(ModelToFlatbuffer({model, size}));
  std::free(model);
  return conversion;
}

SPMLITE_EXPORT(spmlite_status)
StatusCode spmlite_status(const Conversion* conversion) { return conversion->blob.code(); }

SPMLITE_EXPORT(spmlite_destroy) void spmlite_destroy(Conversion* conversion) { delete conversion; }

}  // namespace spmlite
