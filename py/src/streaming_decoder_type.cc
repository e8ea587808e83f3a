#include "streaming_decoder_type.h"

#include <string>

#include "arguments.h"
#include "decoding.h"
#include "processor_type.h"
#include "results.h"
#include "sentencepiece_extra.h"

namespace spmlite {
namespace {

using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::StreamingDecoder;

struct DecoderObject {
  PyObject_HEAD PyObject* processor;  // keeps the model alive
  const SentencePieceLiteProcessor* core;
  StreamingDecoder* decoder;
};

DecoderObject* Cast(PyObject* self) { return reinterpret_cast<DecoderObject*>(self); }

PyObject* New(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  PyObject* processor = nullptr;
  if (keywords != nullptr && PyDict_Size(keywords) != 0) {
    PyErr_SetString(PyExc_TypeError, "StreamingDecoder takes no keyword arguments");
    return nullptr;
  }
  if (!PyArg_UnpackTuple(arguments, "StreamingDecoder", 1, 1, &processor)) return nullptr;
  const SentencePieceLiteProcessor* core = CoreOf(PyType_GetModule(type), processor);
  if (core == nullptr || !CheckLoaded(*core)) return nullptr;
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self == nullptr) return nullptr;
  Cast(self)->processor = Py_NewRef(processor);
  Cast(self)->core = core;
  Cast(self)->decoder = new StreamingDecoder(*core);
  return self;
}

void Deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete Cast(self)->decoder;
  Py_XDECREF(Cast(self)->processor);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* Add(PyObject* self, PyObject* object) {
  int id;
  if (!ReadSingleId(object, &id)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "the id must be an integer");
    return nullptr;
  }
  if (!CheckIds(*Cast(self)->core, {&id, 1})) return nullptr;
  std::string text;
  if (Cast(self)->decoder->Add(id, &text) != StatusCode::kOk) return SetInternalError("decode");
  return MakeText(text, /*as_bytes=*/false);
}

PyObject* Finish(PyObject* self, PyObject* /*unused*/) {
  std::string text;
  if (Cast(self)->decoder->Finish(&text) != StatusCode::kOk) return SetInternalError("decode");
  return MakeText(text, /*as_bytes=*/false);
}

PyMethodDef kMethods[] = {
    {"add", Add, METH_O, "add(id, /): the text that has become final"},
    {"finish", Finish, METH_NOARGS, "finish(): what was held back"},
    {nullptr, nullptr, 0, nullptr},
};

constexpr char kDoc[] =
    "StreamingDecoder(processor, /)\n--\n\n"
    "Decodes as ids come in. For one thread at a time.";

PyType_Slot kSlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(New)},
    {Py_tp_dealloc, reinterpret_cast<void*>(Deallocate)},
    {Py_tp_methods, kMethods},
    {Py_tp_doc, const_cast<char*>(kDoc)},
    {0, nullptr},
};

PyType_Spec kSpec = {
    .name = "spmlite._native.StreamingDecoder",
    .basicsize = sizeof(DecoderObject),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = kSlots,
};

}  // namespace

bool AddStreamingDecoderType(PyObject* module) {
  const Reference type(PyType_FromModuleAndSpec(module, &kSpec, nullptr));
  return type && PyModule_AddObjectRef(module, "StreamingDecoder", type.get()) == 0;
}

}  // namespace spmlite
