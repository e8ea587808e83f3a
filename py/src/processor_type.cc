#include "processor_type.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "decoding.h"
#include "encoding.h"
#include "normalizing.h"
#include "parallel.h"
#include "results.h"
#include "sampling.h"
#include "sentencepiece_lite.h"

namespace spmlite {
namespace {

using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::StatusCode;

// The core reads a model where it lies if that is on such a border.
constexpr uintptr_t kModelAlignment = 8;

// PieceType of the schema.
enum PieceType : int { kUnknown = 2, kControl = 3, kUnused = 5, kByte = 6 };

// Not changed once it is made: any number of threads may use it.
struct Processor {
  PyObject_HEAD Py_buffer buffer;         // keeps the model's memory alive
  SentencePieceLiteProcessor* processor;  // of an empty model if none was given
};

const SentencePieceLiteProcessor& Core(PyObject* self) {
  return *reinterpret_cast<Processor*>(self)->processor;
}

// --- Making and unmaking ---

bool Load(PyObject* model, Processor* self) {
  if (model != Py_None && PyObject_GetBuffer(model, &self->buffer, PyBUF_SIMPLE) != 0) {
    return false;
  }
  const std::string_view blob(static_cast<const char*>(self->buffer.buf),
                              static_cast<size_t>(self->buffer.len));
  {
    const GilReleased released;
    const bool aligned = reinterpret_cast<uintptr_t>(blob.data()) % kModelAlignment == 0;
    self->processor = aligned ? new SentencePieceLiteProcessor(blob)
                              : new SentencePieceLiteProcessor(std::make_shared<std::string>(blob));
  }
  if (model == Py_None || self->processor->status() == StatusCode::kOk) {
    return true;
  }
  const std::string message(self->processor->status_message());
  PyErr_SetString(PyExc_RuntimeError, message.c_str());
  return false;
}

PyObject* New(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  PyObject* model = Py_None;
  if (keywords != nullptr && PyDict_Size(keywords) != 0) {
    PyErr_SetString(PyExc_TypeError, "Processor takes no keyword arguments");
    return nullptr;
  }
  if (!PyArg_UnpackTuple(arguments, "Processor", 0, 1, &model)) return nullptr;
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  Reference self(allocate(type, 0));
  if (!self || !Load(model, reinterpret_cast<Processor*>(self.get()))) {
    return nullptr;
  }
  return self.release();
}

void Deallocate(PyObject* object) {
  auto* self = reinterpret_cast<Processor*>(object);
  PyTypeObject* type = Py_TYPE(object);
  delete self->processor;
  PyBuffer_Release(&self->buffer);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

// --- Methods ---
// The first argument is the input, the second the Options, the third the number
// of threads of a batch.

// Reads the arguments that follow the input.
bool ReadNumbers(PyObject* const* arguments, Py_ssize_t count,
                 std::initializer_list<int*> numbers) {
  if (count != static_cast<Py_ssize_t>(numbers.size()) + 1) {
    PyErr_Format(PyExc_TypeError, "expected %zd arguments, got %zd",
                 static_cast<Py_ssize_t>(numbers.size()) + 1, count);
    return false;
  }
  for (int* number : numbers) {
    const long value = PyLong_AsLong(*++arguments);
    if (value == -1 && PyErr_Occurred()) return false;
    // Numbers of threads may be anything: the nearest int will do.
    *number = static_cast<int>(std::clamp<long>(value, INT_MIN, INT_MAX));
  }
  return true;
}

template <auto kEncode>
PyObject* Encode(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  Text text;
  if (!ReadNumbers(arguments, count, {&options}) || !ReadText(arguments[0], &text) ||
      !CheckLoaded(Core(self)) || !CheckOptions(Core(self), options)) {
    return nullptr;
  }
  return kEncode(Core(self), text.utf8, options);
}

template <auto kEncode>
PyObject* EncodeBatch(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  int threads;
  TextList texts;
  if (!ReadNumbers(arguments, count, {&options, &threads}) || !texts.Read(arguments[0]) ||
      !CheckLoaded(Core(self)) || !CheckOptions(Core(self), options)) {
    return nullptr;
  }
  return kEncode(Core(self), texts, options, ThreadCount(threads));
}

// Reads the last argument, `alpha`, then the other numbers.
bool ReadSampling(PyObject* const* arguments, Py_ssize_t count, Sampling* sampling,
                  std::initializer_list<int*> numbers) {
  if (count < 2) return ReadNumbers(arguments, count, numbers);
  const double alpha = PyFloat_AsDouble(arguments[count - 1]);
  if (alpha == -1 && PyErr_Occurred()) return false;
  sampling->alpha = static_cast<float>(alpha);
  return ReadNumbers(arguments, count - 1, numbers);
}

PyObject* SampleMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  int shape;
  Sampling sampling;
  Text text;
  if (!ReadSampling(arguments, count, &sampling, {&options, &shape, &sampling.nbest_size}) ||
      !ReadText(arguments[0], &text) || !CheckLoaded(Core(self)) ||
      !CheckSampling(Core(self), sampling) || !CheckOptions(Core(self), options)) {
    return nullptr;
  }
  return Sample(Core(self), text.utf8, sampling, static_cast<Shape>(shape), options);
}

PyObject* SampleBatchMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  int threads;
  int shape;
  Sampling sampling;
  TextList texts;
  if (!ReadSampling(arguments, count, &sampling,
                    {&options, &threads, &shape, &sampling.nbest_size}) ||
      !texts.Read(arguments[0]) || !CheckLoaded(Core(self)) ||
      !CheckSampling(Core(self), sampling) || !CheckOptions(Core(self), options)) {
    return nullptr;
  }
  return SampleBatch(Core(self), texts, sampling, static_cast<Shape>(shape), options,
                     ThreadCount(threads));
}

PyObject* EncodeParallelMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  int threads;
  int shape;
  int chunk_size;
  Text text;
  if (!ReadNumbers(arguments, count, {&options, &threads, &shape, &chunk_size}) ||
      !ReadText(arguments[0], &text) || !CheckLoaded(Core(self)) ||
      !CheckOptions(Core(self), options)) {
    return nullptr;
  }
  return EncodeParallel(Core(self), text.utf8, static_cast<Shape>(shape), options,
                        ThreadCount(threads), static_cast<size_t>(chunk_size));
}

PyObject* NBestMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  int shape;
  int size;
  Text text;
  if (!ReadNumbers(arguments, count, {&options, &shape, &size}) || !ReadText(arguments[0], &text) ||
      !CheckLoaded(Core(self)) || !CheckOptions(Core(self), options)) {
    return nullptr;
  }
  return NBest(Core(self), text.utf8, size, static_cast<Shape>(shape), options);
}

PyObject* DecodeIdsMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  std::vector<int> ids;
  if (!ReadNumbers(arguments, count, {&options}) || !ReadIds(arguments[0], &ids) ||
      !CheckIds(Core(self), ids) || !CheckLoaded(Core(self))) {
    return nullptr;
  }
  return DecodeIds(Core(self), ids, options & kAsBytes);
}

PyObject* DecodeIdsBatchMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  int threads;
  IdRows rows;
  if (!ReadNumbers(arguments, count, {&options, &threads}) || !ReadIdRows(arguments[0], &rows) ||
      !CheckIds(Core(self), rows.ids) || !CheckLoaded(Core(self))) {
    return nullptr;
  }
  return DecodeIdsBatch(Core(self), rows, options & kAsBytes, ThreadCount(threads));
}

PyObject* DecodePiecesMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  TextList pieces;
  if (!ReadNumbers(arguments, count, {&options}) || !pieces.Read(arguments[0]) ||
      !CheckLoaded(Core(self))) {
    return nullptr;
  }
  return DecodePieces(Core(self), pieces, (options & kAsBytes) || pieces.is_bytes());
}

PyObject* DecodePiecesBatchMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  int threads;
  std::vector<TextList> rows;
  if (!ReadNumbers(arguments, count, {&options, &threads}) || !ReadTextRows(arguments[0], &rows) ||
      !CheckLoaded(Core(self))) {
    return nullptr;
  }
  // As in the oracle, the first row with a piece in it decides for all.
  const auto first =
      std::ranges::find_if(rows, [](const TextList& row) { return row.size() != 0; });
  const bool as_bytes = first != rows.end() && first->is_bytes();
  return DecodePiecesBatch(Core(self), rows, (options & kAsBytes) || as_bytes,
                           ThreadCount(threads));
}

PyObject* DecodeIdSpansMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  std::vector<int> ids;
  if (!ReadNumbers(arguments, count, {&options}) || !ReadIds(arguments[0], &ids) ||
      !CheckIds(Core(self), ids) || !CheckLoaded(Core(self))) {
    return nullptr;
  }
  std::vector<std::string_view> pieces;
  for (const int id : ids) pieces.push_back(Core(self).IdToPiece(id));
  return DecodeSpans(Core(self), ids, pieces, options);
}

PyObject* DecodePieceSpansMethod(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  int options;
  TextList pieces;
  if (!ReadNumbers(arguments, count, {&options}) || !pieces.Read(arguments[0]) ||
      !CheckLoaded(Core(self))) {
    return nullptr;
  }
  std::vector<int> ids;
  for (const std::string_view piece : pieces.views()) ids.push_back(Core(self).PieceToId(piece));
  return DecodeSpans(Core(self), ids, pieces.views(), options);
}

// The model's bytes, copied.
PyObject* Blob(PyObject* self, PyObject* /*unused*/) {
  if (!CheckLoaded(Core(self))) return nullptr;
  const Py_buffer& buffer = reinterpret_cast<Processor*>(self)->buffer;
  return PyBytes_FromStringAndSize(static_cast<const char*>(buffer.buf), buffer.len);
}

template <auto kNormalize>
PyObject* NormalizeMethod(PyObject* self, PyObject* object) {
  Text text;
  if (!ReadText(object, &text)) return nullptr;
  return kNormalize(Core(self), text);
}

// One id gives one result, a sequence of ids a list of them.
template <auto kLookUp>
PyObject* ById(PyObject* self, PyObject* object) {
  std::vector<int> ids(1);
  const bool single = ReadSingleId(object, ids.data());
  if (!single) {
    if (PyErr_Occurred()) return nullptr;
    ids.clear();
    if (!ReadIds(object, &ids)) return nullptr;
  }
  if (!CheckIds(Core(self), ids)) return nullptr;
  if (single) return kLookUp(Core(self), ids[0]);
  return MakeList(ids.size(), [&](size_t i) { return kLookUp(Core(self), ids[i]); });
}

PyObject* MakePiece(const SentencePieceLiteProcessor& processor, int id) {
  return MakeText(processor.IdToPiece(id), /*as_bytes=*/false);
}

PyObject* MakeScore(const SentencePieceLiteProcessor& processor, int id) {
  return PyFloat_FromDouble(processor.GetScore(id));
}

template <PieceType kType>
PyObject* IsType(const SentencePieceLiteProcessor& processor, int id) {
  return PyBool_FromLong(processor.piece_type(id) == kType);
}

PyObject* MakeType(const SentencePieceLiteProcessor& processor, int id) {
  return PyLong_FromLong(processor.piece_type(id));
}

PyObject* PieceToId(PyObject* self, PyObject* object) {
  const SentencePieceLiteProcessor& core = Core(self);
  const auto find = [&](std::string_view piece) {
    // Without a model the oracle answers 0.
    const bool loaded = core.status() == StatusCode::kOk;
    return PyLong_FromLong(loaded ? core.PieceToId(piece) : 0);
  };
  TextList pieces;
  if (PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object)) {
    const Reference list(PyTuple_Pack(1, object));
    if (!list || !pieces.Read(list.get())) return nullptr;
    return find(pieces.views()[0]);
  }
  if (!pieces.Read(object)) return nullptr;
  return MakeList(pieces.size(), [&](size_t i) { return find(pieces.views()[i]); });
}

template <auto kProperty>
PyObject* Number(PyObject* self, PyObject* /*unused*/) {
  return PyLong_FromLongLong(static_cast<long long>((Core(self).*kProperty)()));
}

using FastMethod = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);

// Through void*, since the two function types differ on purpose.
PyCFunction Fast(FastMethod method) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(method));
}

PyMethodDef kMethods[] = {
    {"encode_ids", Fast(Encode<EncodeIds>), METH_FASTCALL,
     "encode_ids(text, options, /): the ids of a text"},
    {"encode_ids_batch", Fast(EncodeBatch<EncodeIdsBatch>), METH_FASTCALL,
     "encode_ids_batch(texts, options, threads, /): the ids of each text"},
    {"encode_packed", Fast(Encode<EncodePacked>), METH_FASTCALL,
     "encode_packed(text, options, /): the ids as bytes of int32"},
    {"encode_packed_batch", Fast(EncodeBatch<EncodePackedBatch>), METH_FASTCALL,
     "encode_packed_batch(texts, options, threads, /): the ids of all texts as "
     "bytes of int32, and where each text ends among them as bytes of int64"},
    {"encode_pieces", Fast(Encode<EncodePieces>), METH_FASTCALL,
     "encode_pieces(text, options, /): the pieces of a text"},
    {"encode_pieces_batch", Fast(EncodeBatch<EncodePiecesBatch>), METH_FASTCALL,
     "encode_pieces_batch(texts, options, threads, /): the pieces of each "
     "text"},
    {"encode_spans", Fast(Encode<EncodeSpans>), METH_FASTCALL,
     "encode_spans(text, options, /): ids, pieces and spans of a text"},
    {"encode_spans_batch", Fast(EncodeBatch<EncodeSpansBatch>), METH_FASTCALL,
     "encode_spans_batch(texts, options, threads, /): those of each text"},
    {"sample", Fast(SampleMethod), METH_FASTCALL,
     "sample(text, options, shape, nbest_size, alpha, /): a text in tokens, cut "
     "at random"},
    {"sample_batch", Fast(SampleBatchMethod), METH_FASTCALL,
     "sample_batch(texts, options, threads, shape, nbest_size, alpha, /): each text"},
    {"encode_parallel", Fast(EncodeParallelMethod), METH_FASTCALL,
     "encode_parallel(text, options, threads, shape, chunk_size, /): a text in "
     "tokens, over threads"},
    {"nbest", Fast(NBestMethod), METH_FASTCALL,
     "nbest(text, options, shape, size, /): the best ways to cut a text, and "
     "their scores"},
    {"decode_ids", Fast(DecodeIdsMethod), METH_FASTCALL,
     "decode_ids(ids, options, /): the text of some ids"},
    {"decode_ids_batch", Fast(DecodeIdsBatchMethod), METH_FASTCALL,
     "decode_ids_batch(rows, options, threads, /): the text of each row"},
    {"decode_pieces", Fast(DecodePiecesMethod), METH_FASTCALL,
     "decode_pieces(pieces, options, /): the text of some pieces"},
    {"decode_pieces_batch", Fast(DecodePiecesBatchMethod), METH_FASTCALL,
     "decode_pieces_batch(rows, options, threads, /): the text of each row"},
    {"decode_id_spans", Fast(DecodeIdSpansMethod), METH_FASTCALL,
     "decode_id_spans(ids, options, /): the text, the text before a denormalizer, ids, pieces, "
     "and what each gave"},
    {"decode_piece_spans", Fast(DecodePieceSpansMethod), METH_FASTCALL,
     "decode_piece_spans(pieces, options, /): the same of pieces"},
    {"blob", Blob, METH_NOARGS, "blob(): the bytes of the .spm.fb"},
    {"normalize", NormalizeMethod<Normalize>, METH_O,
     "normalize(text, /): the text as the model sees it"},
    {"normalize_with_offsets", NormalizeMethod<NormalizeWithOffsets>, METH_O,
     "normalize_with_offsets(text, /): the same, and where each part stems "
     "from"},
    {"piece_to_id", PieceToId, METH_O,
     "piece_to_id(piece, /): the id of a piece, or a list of them"},
    {"id_to_piece", ById<MakePiece>, METH_O,
     "id_to_piece(id, /): the piece of an id, or a list of them"},
    {"get_score", ById<MakeScore>, METH_O,
     "get_score(id, /): the score of an id, or a list of them"},
    {"piece_type", ById<MakeType>, METH_O,
     "piece_type(id, /): 1 normal, 2 unknown, 3 control, 4 user-defined, 5 "
     "unused, 6 byte; or a list of them"},
    {"is_unknown", ById<IsType<kUnknown>>, METH_O,
     "is_unknown(id, /): whether it is the unknown piece; or a list"},
    {"is_control", ById<IsType<kControl>>, METH_O,
     "is_control(id, /): whether it is a control piece; or a list"},
    {"is_unused", ById<IsType<kUnused>>, METH_O,
     "is_unused(id, /): whether the piece is out of use; or a list"},
    {"is_byte", ById<IsType<kByte>>, METH_O,
     "is_byte(id, /): whether it stands for one byte; or a list"},
    {"vocab_size", Number<&SentencePieceLiteProcessor::vocab_size>, METH_NOARGS,
     "vocab_size(): the number of pieces"},
    {"unk_id", Number<&SentencePieceLiteProcessor::unk_id>, METH_NOARGS,
     "unk_id(): the id of the unknown piece, or -1"},
    {"bos_id", Number<&SentencePieceLiteProcessor::bos_id>, METH_NOARGS,
     "bos_id(): the id that begins a sentence, or -1"},
    {"eos_id", Number<&SentencePieceLiteProcessor::eos_id>, METH_NOARGS,
     "eos_id(): the id that ends a sentence, or -1"},
    {"pad_id", Number<&SentencePieceLiteProcessor::pad_id>, METH_NOARGS,
     "pad_id(): the id that fills up a batch, or -1"},
    {"model_type", Number<&SentencePieceLiteProcessor::model_type>, METH_NOARGS,
     "model_type(): 1 Unigram, 2 BPE, 3 word, 4 char"},
    {nullptr, nullptr, 0, nullptr},
};

constexpr char kDoc[] =
    "Processor(model=None, /)\n--\n\n"
    "A model in the bytes of a .spm.fb, which are read where they lie and kept "
    "alive. Safe to share between threads.";

PyType_Slot kSlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(New)},
    {Py_tp_dealloc, reinterpret_cast<void*>(Deallocate)},
    {Py_tp_methods, kMethods},
    {Py_tp_doc, const_cast<char*>(kDoc)},
    {0, nullptr},
};

PyType_Spec kSpec = {
    .name = "spmlite._native.Processor",
    .basicsize = sizeof(Processor),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = kSlots,
};

struct NamedNumber {
  const char* name;
  int number;
};

constexpr NamedNumber kNumbers[] = {
    {"ADD_BOS", kAddBos},
    {"ADD_EOS", kAddEos},
    {"REVERSE", kReverse},
    {"EMIT_UNK_PIECE", kEmitUnknownPiece},
    {"AS_BYTES", kAsBytes},
    {"OFFSETS_IN_BYTES", kOffsetsInBytes},
    {"OFFSETS_IN_UTF16", kOffsetsInUtf16},
    {"IDS", static_cast<int>(Shape::kIds)},
    {"PACKED", static_cast<int>(Shape::kPacked)},
    {"PIECES", static_cast<int>(Shape::kPieces)},
    {"SPANS", static_cast<int>(Shape::kSpans)},
};

}  // namespace

const SentencePieceLiteProcessor* CoreOf(PyObject* module, PyObject* object) {
  const Reference type(PyObject_GetAttrString(module, "Processor"));
  if (!type) return nullptr;
  if (Py_TYPE(object) != reinterpret_cast<PyTypeObject*>(type.get())) {
    PyErr_SetString(PyExc_TypeError, "expected a Processor");
    return nullptr;
  }
  return &Core(object);
}

bool AddProcessorType(PyObject* module) {
  const Reference type(PyType_FromModuleAndSpec(module, &kSpec, nullptr));
  if (!type || PyModule_AddObjectRef(module, "Processor", type.get()) != 0) {
    return false;
  }
  return std::ranges::all_of(kNumbers, [&](const NamedNumber& named) {
    return PyModule_AddIntConstant(module, named.name, named.number) == 0;
  });
}

}  // namespace spmlite
