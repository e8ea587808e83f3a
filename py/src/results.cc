#include "results.h"

namespace spmlite {

PyObject* MakeList(size_t size, sentencepiece::lite::FunctionRef<PyObject*(size_t)> make) {
  Reference list(PyList_New(static_cast<Py_ssize_t>(size)));
  if (!list) return nullptr;
  for (size_t i = 0; i < size; ++i) {
    PyObject* item = make(i);
    if (item == nullptr) return nullptr;
    PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), item);
  }
  return list.release();
}

PyObject* MakeText(std::string_view text, bool as_bytes) {
  const auto size = static_cast<Py_ssize_t>(text.size());
  return as_bytes ? PyBytes_FromStringAndSize(text.data(), size)
                  : PyUnicode_FromStringAndSize(text.data(), size);
}

PyObject* MakeTextList(std::span<const std::string_view> texts, bool as_bytes) {
  return MakeList(texts.size(), [&](size_t i) { return MakeText(texts[i], as_bytes); });
}

PyObject* MakeSpanList(std::span<const sentencepiece::lite::TokenSpan> spans) {
  return MakeList(spans.size(), [&](size_t i) {
    return Py_BuildValue("(II)", static_cast<unsigned int>(spans[i].begin),
                         static_cast<unsigned int>(spans[i].end));
  });
}

PyObject* MakeIdList(std::span<const int> ids) {
  return MakeList(ids.size(), [&](size_t i) { return PyLong_FromLong(ids[i]); });
}

bool CheckLoaded(const sentencepiece::lite::SentencePieceLiteProcessor& processor) {
  if (processor.status() == sentencepiece::lite::StatusCode::kOk) return true;
  PyErr_SetString(PyExc_RuntimeError, "no model is loaded");
  return false;
}

PyObject* SetValueError(std::string_view message) {
  const Reference text(MakeText(message, /*as_bytes=*/false));
  if (text) PyErr_SetObject(PyExc_ValueError, text.get());
  return nullptr;
}

PyObject* SetInternalError(const char* call) {
  return PyErr_Format(PyExc_RuntimeError,
                      "the model contradicts itself: %s failed; convert the "
                      "model anew",
                      call);
}

}  // namespace spmlite
