#include "tokenizer_json_functions.h"

#include "arguments.h"
#include "results.h"
#include "tokenizer_json.h"

namespace spmlite {
namespace {

// The model, and the notes on it.
PyObject* ToModel(PyObject* /*module*/, PyObject* tokenizer_json) {
  Text text;
  if (!ReadText(tokenizer_json, &text)) return nullptr;
  const auto converted = [&] {
    const GilReleased released;
    return sentencepiece::lite::TokenizerJsonToModel(text.utf8);
  }();
  if (!converted.ok()) return SetValueError(converted.message());
  const Reference model(MakeText((*converted).model, /*as_bytes=*/true));
  const Reference notes(MakeList((*converted).notes.size(), [&](size_t i) {
    return MakeText((*converted).notes[i], /*as_bytes=*/false);
  }));
  return model && notes ? PyTuple_Pack(2, model.get(), notes.get()) : nullptr;
}

PyMethodDef kFunctions[] = {
    {"tokenizer_json_to_model", ToModel, METH_O,
     "tokenizer_json_to_model(tokenizer_json, /): a .model, and sentences on what it lacks"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool AddTokenizerJsonFunctions(PyObject* module) {
  return PyModule_AddFunctions(module, kFunctions) == 0;
}

}  // namespace spmlite
