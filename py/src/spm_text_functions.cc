#include "spm_text_functions.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "model_proto.h"
#include "results.h"
#include "spm_text.h"

namespace spmlite {
namespace {

using sentencepiece::lite::ModelToSpmText;
using sentencepiece::lite::SerializedModel;
using sentencepiece::lite::SerializedPiece;
using sentencepiece::lite::SpmTextAdditions;
using sentencepiece::lite::SpmTextStyle;
using sentencepiece::lite::SpmTextToModel;
using sentencepiece::lite::StatusOr;

PyObject* Result(const StatusOr<std::string>& result) {
  if (!result.ok()) return SetValueError(result.message());
  return MakeText(*result, /*as_bytes=*/true);
}

std::string_view View(const char* data, Py_ssize_t size) {
  return {data, static_cast<size_t>(size)};
}

PyObject* IsText(PyObject* /*module*/, PyObject* head) {
  Text text;
  if (!ReadText(head, &text)) return nullptr;
  return PyBool_FromLong(sentencepiece::lite::IsSpmText(text.utf8));
}

PyObject* ToModel(PyObject* /*module*/, PyObject* arguments) {
  const char *text, *recipe, *fields, *charsmap;
  Py_ssize_t sizes[4];
  if (!PyArg_ParseTuple(arguments, "y#s#s#y#:spm_text_to_model", &text, &sizes[0], &recipe,
                        &sizes[1], &fields, &sizes[2], &charsmap, &sizes[3])) {
    return nullptr;
  }
  const SpmTextAdditions additions = {.recipe = View(recipe, sizes[1]),
                                      .fields = View(fields, sizes[2]),
                                      .named_charsmap = View(charsmap, sizes[3])};
  const auto model = [&] {
    const GilReleased released;
    return SpmTextToModel(View(text, sizes[0]), additions);
  }();
  return Result(model);
}

PyObject* FromModel(PyObject* /*module*/, PyObject* arguments) {
  const char *model, *charsmap_rule;
  Py_ssize_t sizes[2];
  int is_plain, has_comments;
  if (!PyArg_ParseTuple(arguments, "y#pps#:model_to_spm_text", &model, &sizes[0], &is_plain,
                        &has_comments, &charsmap_rule, &sizes[1])) {
    return nullptr;
  }
  const SpmTextStyle style = {.is_plain = is_plain != 0,
                              .has_comments = has_comments != 0,
                              .charsmap_rule = View(charsmap_rule, sizes[1])};
  const auto text = [&] {
    const GilReleased released;
    return ModelToSpmText(View(model, sizes[0]), style);
  }();
  return Result(text);
}

// The header, the pieces, the scores as float32 one after another, the types as bytes.
PyObject* ReadModel(PyObject* /*module*/, PyObject* model) {
  Text bytes;
  if (!ReadText(model, &bytes)) return nullptr;
  const StatusOr<SerializedModel> read = sentencepiece::lite::ReadModelProto(bytes.utf8);
  if (!read.ok()) return SetValueError(read.message());
  std::vector<std::string_view> texts;
  std::vector<float> scores;
  std::string types;
  for (const SerializedPiece& piece : (*read).pieces) {
    texts.push_back(piece.piece);
    scores.push_back(piece.score);
    types.push_back(static_cast<char>(piece.type));
  }
  const std::string header = sentencepiece::lite::SpmTextHeader(bytes.utf8);
  const Reference results[] = {
      Reference(MakeText(header, /*as_bytes=*/false)),
      Reference(MakeTextList(texts, /*as_bytes=*/true)),
      Reference(
          MakeText({reinterpret_cast<const char*>(scores.data()), scores.size() * sizeof(float)},
                   /*as_bytes=*/true)),
      Reference(MakeText(types, /*as_bytes=*/true)),
  };
  for (const Reference& result : results) {
    if (!result) return nullptr;
  }
  return PyTuple_Pack(4, results[0].get(), results[1].get(), results[2].get(), results[3].get());
}

PyMethodDef kFunctions[] = {
    {"is_spm_text", IsText, METH_O,
     "is_spm_text(head, /): whether the first bytes of a file look like a .spm"},
    {"spm_text_to_model", ToModel, METH_VARARGS,
     "spm_text_to_model(text, recipe, fields, named_charsmap, /): a .spm as a .model"},
    {"model_to_spm_text", FromModel, METH_VARARGS,
     "model_to_spm_text(model, is_plain, has_comments, charsmap_rule, /): a .model as a .spm"},
    {"read_model", ReadModel, METH_O,
     "read_model(model, /): of a .model the header of its .spm, pieces, scores and types"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool AddSpmTextFunctions(PyObject* module) {
  return PyModule_AddFunctions(module, kFunctions) == 0;
}

}  // namespace spmlite
