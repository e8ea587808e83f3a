#include "arrow_data_type.h"

#include <algorithm>
#include <string>
#include <utility>

#include "arrow_conversion.h"
#include "arrow_interface.h"
#include "arrow_output.h"
#include "encoding.h"
#include "parallel.h"
#include "processor_type.h"
#include "results.h"

namespace spmlite {
namespace {

// --- Capsules ---

// A struct of the interface that is released with its owner.
template <typename Struct>
class Owned {
 public:
  Owned() = default;
  ~Owned() { Release(); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  void Release() {
    if (value_.release != nullptr) value_.release(&value_);
    value_.release = nullptr;
  }
  bool is_released() const { return value_.release == nullptr; }
  Struct* get() { return &value_; }

 private:
  Struct value_{};
};

template <typename Struct>
void DeleteCapsule(PyObject* capsule) {
  auto* owned = static_cast<Struct*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  // Whoever received the content has moved it away, and marked this as released.
  if (owned->release != nullptr) owned->release(owned);
  delete owned;
}

// A capsule with the struct that `fill` fills.
template <typename Struct, typename Fill>
PyObject* MakeCapsule(const char* name, Fill fill) {
  auto* content = new Struct{};
  fill(content);
  PyObject* capsule = PyCapsule_New(content, name, DeleteCapsule<Struct>);
  if (capsule == nullptr) {
    content->release(content);
    delete content;
  }
  return capsule;
}

// The struct in a capsule, or nullptr with a Python error.
template <typename Struct>
Struct* ContentOf(PyObject* capsule, const char* name) {
  auto* content = static_cast<Struct*>(PyCapsule_GetPointer(capsule, name));
  if (content != nullptr && content->release == nullptr) {
    PyErr_Format(PyExc_ValueError, "the Arrow capsule '%s' was used before: export anew", name);
    return nullptr;
  }
  return content;
}

// --- The type ---

struct ArrowData {
  PyObject_HEAD ArrowChunks* chunks;
};

const ArrowChunks& ChunksOf(PyObject* self) { return *reinterpret_cast<ArrowData*>(self)->chunks; }

void Deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<ArrowData*>(self)->chunks;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* Schema(PyObject* self, PyObject* /*unused*/) {
  return MakeCapsule<ArrowSchema>(
      kSchemaCapsule, [&](ArrowSchema* schema) { ExportSchema(*ChunksOf(self).front(), schema); });
}

PyObject* Array(PyObject* self, PyObject* /*unused*/) {
  return MakeCapsule<ArrowArray>(
      kArrayCapsule, [&](ArrowArray* array) { ExportArray(ChunksOf(self).front(), array); });
}

PyObject* Stream(PyObject* self, PyObject* /*unused*/) {
  return MakeCapsule<ArrowArrayStream>(
      kStreamCapsule, [&](ArrowArrayStream* stream) { ExportStream(ChunksOf(self), stream); });
}

template <auto kSize>
PyObject* Sum(PyObject* self, PyObject* /*unused*/) {
  size_t sum = 0;
  for (const auto& chunk : ChunksOf(self)) sum += (*chunk).*kSize;
  return PyLong_FromSize_t(sum);
}

PyObject* IsLarge(PyObject* self, PyObject* /*unused*/) {
  return PyBool_FromLong(ChunksOf(self).front()->is_large);
}

PyMethodDef kMethods[] = {
    {"schema", Schema, METH_NOARGS, "schema(): its type, in a capsule"},
    {"array", Array, METH_NOARGS, "array(): the first chunk, in a capsule"},
    {"stream", Stream, METH_NOARGS, "stream(): all chunks, in a capsule"},
    {"size", Sum<&ArrowColumn::size>, METH_NOARGS, "size(): the number of rows"},
    {"null_count", Sum<&ArrowColumn::null_count>, METH_NOARGS,
     "null_count(): how many of them are null"},
    {"is_large", IsLarge, METH_NOARGS, "is_large(): whether it counts in 64 bits"},
    {nullptr, nullptr, 0, nullptr},
};

constexpr char kDoc[] = "Rows of ids or of text, for other libraries. Never changes.";

PyType_Slot kSlots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(Deallocate)},
    {Py_tp_methods, kMethods},
    {Py_tp_doc, const_cast<char*>(kDoc)},
    {0, nullptr},
};

PyType_Spec kSpec = {
    .name = "spmlite._native.ArrowData",
    .basicsize = sizeof(ArrowData),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = kSlots,
};

PyObject* MakeData(PyObject* module, ArrowChunks chunks) {
  const Reference type(PyObject_GetAttrString(module, "ArrowData"));
  if (!type) return nullptr;
  auto* of_data = reinterpret_cast<PyTypeObject*>(type.get());
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(of_data, Py_tp_alloc));
  PyObject* self = allocate(of_data, 0);
  if (self == nullptr) return nullptr;
  reinterpret_cast<ArrowData*>(self)->chunks = new ArrowChunks(std::move(chunks));
  return self;
}

// --- Converting ---

PyObject* Raise(const Problem& problem) {
  PyObject* type = PyExc_RuntimeError;
  if (problem.kind == Problem::Kind::kType) type = PyExc_TypeError;
  if (problem.kind == Problem::Kind::kValue) type = PyExc_ValueError;
  if (problem.kind == Problem::Kind::kIndex) type = PyExc_IndexError;
  if (problem.kind == Problem::Kind::kMemory) type = PyExc_MemoryError;
  PyErr_SetString(type, problem.message.c_str());
  return nullptr;
}

Problem StreamProblem(ArrowArrayStream* stream) {
  const char* message = stream->get_last_error(stream);
  return {Problem::Kind::kRuntime, std::string("the Arrow stream broke off: ") +
                                       (message == nullptr ? "it does not say why" : message)};
}

// One type for all: where one chunk is large, all are.
bool MakeAlike(const ArrowChunks& chunks) {
  const auto is_large = [](const auto& chunk) { return chunk->is_large; };
  if (std::ranges::none_of(chunks, is_large)) return true;
  return std::ranges::all_of(
      chunks, [](const auto& chunk) { return chunk->is_large || chunk->Widen(chunk->size); });
}

// Chunk by chunk, each let go of when it is done; of none comes one without rows.
Problem ConvertStream(const SentencePieceLiteProcessor& processor, ArrowArrayStream* stream,
                      const ConversionOptions& options, ArrowChunks* chunks) {
  Owned<ArrowSchema> schema;
  if (stream->get_schema(stream, schema.get()) != 0) return StreamProblem(stream);
  size_t first_row = 0;
  while (true) {
    Owned<ArrowArray> array;
    if (stream->get_next(stream, array.get()) != 0) return StreamProblem(stream);
    if (array.is_released()) break;
    std::shared_ptr<ArrowColumn> column;
    Problem problem = Convert(processor, *schema.get(), *array.get(), options, first_row, &column);
    if (problem) return problem;
    first_row += column->size;
    chunks->push_back(std::move(column));
  }
  if (chunks->empty()) {
    chunks->emplace_back();
    return ConvertNothing(options, &chunks->back());
  }
  if (MakeAlike(*chunks)) return {};
  return {Problem::Kind::kMemory, "no memory for 64-bit lengths"};
}

Problem ConvertSource(const SentencePieceLiteProcessor& processor, const ArrowSchema* schema,
                      const ArrowArray* array, ArrowArrayStream* stream,
                      const ConversionOptions& options, ArrowChunks* chunks) {
  const GilReleased released;
  if (stream != nullptr) return ConvertStream(processor, stream, options, chunks);
  chunks->emplace_back();
  return Convert(processor, *schema, *array, options, 0, &chunks->back());
}

// (processor, what __arrow_c_array__ or __arrow_c_stream__ returned, options, threads,
// max_end)
template <RowKind kTo>
PyObject* ConvertMethod(PyObject* module, PyObject* arguments) {
  PyObject* object;
  PyObject* source;
  ConversionOptions options{.to = kTo};
  long long max_end;
  if (!PyArg_ParseTuple(arguments, "OOiiL", &object, &source, &options.framing, &options.threads,
                        &max_end)) {
    return nullptr;
  }
  options.threads = ThreadCount(options.threads);
  options.max_end = max_end;
  const SentencePieceLiteProcessor* core = CoreOf(module, object);
  if (core == nullptr || !CheckLoaded(*core) || !CheckOptions(*core, options.framing)) {
    return nullptr;
  }
  const ArrowSchema* schema = nullptr;
  const ArrowArray* array = nullptr;
  ArrowArrayStream* stream = nullptr;
  if (PyTuple_Check(source)) {
    PyObject* capsules[2];
    if (!PyArg_ParseTuple(source, "OO", &capsules[0], &capsules[1])) return nullptr;
    schema = ContentOf<ArrowSchema>(capsules[0], kSchemaCapsule);
    array = schema == nullptr ? nullptr : ContentOf<ArrowArray>(capsules[1], kArrayCapsule);
    if (array == nullptr) return nullptr;
  } else {
    stream = ContentOf<ArrowArrayStream>(source, kStreamCapsule);
    if (stream == nullptr) return nullptr;
  }
  ArrowChunks chunks;
  const Problem problem = ConvertSource(*core, schema, array, stream, options, &chunks);
  return problem ? Raise(problem) : MakeData(module, std::move(chunks));
}

PyMethodDef kFunctions[] = {
    {"encode_arrow", ConvertMethod<RowKind::kIds>, METH_VARARGS,
     "encode_arrow(processor, source, options, threads, max_end, /): a column of texts as one of "
     "ids; large where there are more than max_end"},
    {"decode_arrow", ConvertMethod<RowKind::kText>, METH_VARARGS,
     "decode_arrow(processor, source, options, threads, max_end, /): a column of ids as one of "
     "texts"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool AddArrow(PyObject* module) {
  const Reference type(PyType_FromModuleAndSpec(module, &kSpec, nullptr));
  return type && PyModule_AddObjectRef(module, "ArrowData", type.get()) == 0 &&
         PyModule_AddFunctions(module, kFunctions) == 0;
}

}  // namespace spmlite
