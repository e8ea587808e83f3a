// The module spmlite._native. It holds no tokenizer logic: it leads Python
// objects to the core and back. Its Python face is spmlite/processor.py; the
// signatures are in spmlite/_native.pyi.

#include <string>
#include <string_view>
#include <utility>

#include "arrow_data_type.h"
#include "charsmap_functions.h"
#include "from_flatbuffer.h"
#include "processor_type.h"
#include "python_api.h"
#include "sampling.h"
#include "sentencepiece_model_converters.h"
#include "splitting_functions.h"
#include "spm_text_functions.h"
#include "streaming_decoder_type.h"
#include "tokenizer_json_functions.h"

namespace spmlite {
namespace {

using Conversion = sentencepiece::lite::StatusOr<std::string> (*)(std::string_view);

PyObject* ConvertBy(Conversion conversion, PyObject* model) {
  Py_buffer view;
  if (PyObject_GetBuffer(model, &view, PyBUF_SIMPLE) != 0) return nullptr;
  const auto converted = [&] {
    const GilReleased released;
    return conversion({static_cast<const char*>(view.buf), static_cast<size_t>(view.len)});
  }();
  PyBuffer_Release(&view);
  if (!converted.ok()) {
    // RuntimeError is what the oracle raises for a model that it cannot load.
    const std::string_view message = converted.message();
    const Reference text(
        PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
    if (text) PyErr_SetObject(PyExc_RuntimeError, text.get());
    return nullptr;
  }
  return PyBytes_FromStringAndSize((*converted).data(),
                                   static_cast<Py_ssize_t>((*converted).size()));
}

PyObject* Convert(PyObject* /*module*/, PyObject* model) {
  return ConvertBy(sentencepiece::lite::ToFlatbuffer, model);
}

PyObject* ConvertBack(PyObject* /*module*/, PyObject* blob) {
  return ConvertBy(sentencepiece::lite::FromFlatbuffer, blob);
}

PyObject* SetSeedFunction(PyObject* /*module*/, PyObject* number) {
  const unsigned long long seed = PyLong_AsUnsignedLongLong(number);
  if (seed == static_cast<unsigned long long>(-1) && PyErr_Occurred()) return nullptr;
  SetSeed(seed);
  return Py_NewRef(Py_None);
}

PyMethodDef kFunctions[] = {
    {"convert", Convert, METH_O,
     "convert(model, /)\n--\n\n"
     "The bytes of a .spm.fb made from those of a .model; RuntimeError says "
     "which piece or field of the model is wrong."},
    {"convert_back", ConvertBack, METH_O,
     "convert_back(blob, /)\n--\n\n"
     "The bytes of a .model that has what a .spm.fb holds; RuntimeError says why it "
     "would not load."},
    {"set_seed", SetSeedFunction, METH_O,
     "set_seed(seed, /)\n--\n\n"
     "Begins the draws of this process anew; a seed is a number of 64 bits."},
    {nullptr, nullptr, 0, nullptr},
};

int Execute(PyObject* module) {
  return AddProcessorType(module) && AddStreamingDecoderType(module) && AddArrow(module) &&
                 AddSplitting(module) && AddCharsmapFunctions(module) &&
                 AddSpmTextFunctions(module) && AddTokenizerJsonFunctions(module)
             ? 0
             : -1;
}

PyModuleDef_Slot kSlots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(Execute)},
    {0, nullptr},
};

PyModuleDef kModule = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "spmlite._native",
    .m_doc = "The core of spmlite, for Python.",
    .m_size = 0,
    .m_methods = kFunctions,
    .m_slots = kSlots,
    .m_traverse = nullptr,
    .m_clear = nullptr,
    .m_free = nullptr,
};

}  // namespace
}  // namespace spmlite

PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&spmlite::kModule); }
