#include "charsmap_functions.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.h"
#include "charsmap.h"
#include "results.h"

namespace spmlite {
namespace {

using sentencepiece::lite::CharsmapRule;
using sentencepiece::lite::StatusCode;

PyObject* SetError(StatusCode code, std::string_view message) {
  const Reference text(MakeText(message, /*as_bytes=*/false));
  PyObject* type = code == StatusCode::kInvalidArgument ? PyExc_ValueError : PyExc_RuntimeError;
  if (text) PyErr_SetObject(type, text.get());
  return nullptr;
}

// The rules in turn: from, to, from, to.
PyObject* Compile(PyObject* /*module*/, PyObject* sequence) {
  TextList texts;
  if (!texts.Read(sequence)) return nullptr;
  std::vector<CharsmapRule> rules;
  for (size_t i = 0; i + 1 < texts.size(); i += 2) {
    rules.push_back({std::string(texts.views()[i]), std::string(texts.views()[i + 1])});
  }
  const auto charsmap = CompileCharsmap(std::move(rules));
  if (!charsmap.ok()) return SetError(charsmap.code(), charsmap.message());
  return MakeText(*charsmap, /*as_bytes=*/true);
}

PyObject* Decompile(PyObject* /*module*/, PyObject* charsmap) {
  Text text;
  if (!ReadText(charsmap, &text)) return nullptr;
  const auto rules = sentencepiece::lite::DecompileCharsmap(text.utf8);
  if (!rules.ok()) return SetError(rules.code(), rules.message());
  return MakeList((*rules).size(), [&](size_t i) -> PyObject* {
    const CharsmapRule& rule = (*rules)[i];
    const Reference from(MakeText(rule.from, /*as_bytes=*/false));
    const Reference to(MakeText(rule.to, /*as_bytes=*/false));
    return from && to ? PyTuple_Pack(2, from.get(), to.get()) : nullptr;
  });
}

PyMethodDef kFunctions[] = {
    {"compile_charsmap", Compile, METH_O,
     "compile_charsmap(texts, /): a charsmap of the rules from, to, from, to ..."},
    {"decompile_charsmap", Decompile, METH_O,
     "decompile_charsmap(charsmap, /): its rules, pairs of from and to"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool AddCharsmapFunctions(PyObject* module) {
  return PyModule_AddFunctions(module, kFunctions) == 0;
}

}  // namespace spmlite
