// From the core's results to Python objects. Each function returns a new
// reference, or nullptr with a Python error set.

#ifndef SPMLITE_PY_RESULTS_H_
#define SPMLITE_PY_RESULTS_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "python_api.h"
#include "sentencepiece_lite.h"

namespace spmlite {

// A list of `size` objects, each made by `make(i)`, a new reference or nullptr.
PyObject* MakeList(size_t size, sentencepiece::lite::FunctionRef<PyObject*(size_t)> make);

// str, or bytes where `as_bytes`. Text that is no UTF-8 raises
// UnicodeDecodeError.
PyObject* MakeText(std::string_view text, bool as_bytes);

// A list of what MakeText makes of each.
PyObject* MakeTextList(std::span<const std::string_view> texts, bool as_bytes);

// A list of pairs.
PyObject* MakeSpanList(std::span<const sentencepiece::lite::TokenSpan> spans);

PyObject* MakeIdList(std::span<const int> ids);

// False with a RuntimeError where `processor` has no model.
bool CheckLoaded(const sentencepiece::lite::SentencePieceLiteProcessor& processor);

// Raises ValueError.
PyObject* SetValueError(std::string_view message);

// Raises RuntimeError: a loaded model failed at `call`.
PyObject* SetInternalError(const char* call);

}  // namespace spmlite

#endif  // SPMLITE_PY_RESULTS_H_
