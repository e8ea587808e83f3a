#include "arguments.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace spmlite {
namespace {

constexpr char kNotIds[] =
    "the ids must be integers of 32 bits in a list, an array or another "
    "iterable";

// False, without a Python error, for what is neither str nor bytes and for a
// str that UTF-8 cannot spell.
bool ReadInPlace(PyObject* object, std::string_view* utf8) {
  if (PyUnicode_Check(object)) {
    Py_ssize_t size;
    const char* data = PyUnicode_AsUTF8AndSize(object, &size);
    if (data == nullptr) {
      PyErr_Clear();
      return false;
    }
    *utf8 = {data, static_cast<size_t>(size)};
    return true;
  }
  if (PyBytes_Check(object)) {
    *utf8 = {PyBytes_AsString(object), static_cast<size_t>(PyBytes_Size(object))};
    return true;
  }
  return false;
}

void SetTypeError(const char* expected, PyObject* found) {
  Reference name(PyType_GetName(Py_TYPE(found)));
  if (name) PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name.get());
}

// A list or tuple as it is; any other sequence as a list.
Reference AsListOrTuple(PyObject* sequence) {
  if (PyList_Check(sequence) || PyTuple_Check(sequence)) {
    return Reference::To(sequence);
  }
  return Reference(PySequence_List(sequence));
}

Py_ssize_t SizeOfListOrTuple(PyObject* items) {
  return PyList_Check(items) ? PyList_Size(items) : PyTuple_Size(items);
}

// Borrowed.
PyObject* ItemOfListOrTuple(PyObject* items, Py_ssize_t i) {
  return PyList_Check(items) ? PyList_GetItem(items, i) : PyTuple_GetItem(items, i);
}

bool IsTextOrBytes(PyObject* object) { return PyUnicode_Check(object) || PyBytes_Check(object); }

// As the oracle does it, a number beyond 32 bits in a list is of a wrong type.
bool AppendInteger(PyObject* object, std::vector<int>* ids) {
  int id;
  if (!ReadSingleId(object, &id)) {
    if (!PyErr_Occurred()) SetTypeError(kNotIds, object);
    return false;
  }
  ids->push_back(id);
  return true;
}

bool ReadIterable(PyObject* object, std::vector<int>* ids) {
  if (PyList_Check(object) || PyTuple_Check(object)) {
    // The size is asked for anew: an __index__ may change the list.
    for (Py_ssize_t i = 0; i < SizeOfListOrTuple(object); ++i) {
      const Reference item = Reference::To(ItemOfListOrTuple(object, i));
      if (!AppendInteger(item.get(), ids)) return false;
    }
    return true;
  }
  Reference iterator;
  if (!IsTextOrBytes(object) && !PyDict_Check(object)) {
    iterator = Reference(PyObject_GetIter(object));
  }
  if (!iterator) {
    PyErr_Clear();
    SetTypeError(kNotIds, object);
    return false;
  }
  while (const Reference item{PyIter_Next(iterator.get())}) {
    if (!AppendInteger(item.get(), ids)) return false;
  }
  return PyErr_Occurred() == nullptr;
}

// A view of an array's memory, given back when it goes.
class BufferView {
 public:
  ~BufferView() { PyBuffer_Release(&view_); }

  // False, without a Python error, for an object that exports no array.
  bool Open(PyObject* object) {
    if (PyObject_GetBuffer(object, &view_, PyBUF_FORMAT | PyBUF_STRIDES) == 0) {
      return true;
    }
    PyErr_Clear();
    view_.obj = nullptr;
    return false;
  }

  const Py_buffer* operator->() const { return &view_; }

 private:
  Py_buffer view_{};
};

// The integer type of an array: struct's letters, native byte order only.
struct IntegerFormat {
  bool known = false;
  bool is_signed = false;
};

IntegerFormat ParseFormat(const char* format) {
  if (format == nullptr) return {true, false};
  constexpr char kOther = std::endian::native == std::endian::little ? '<' : '>';
  if (*format == '@' || *format == '=' || *format == kOther) ++format;
  if (std::strlen(format) != 1) return {};
  const bool is_signed = std::strchr("bhilqn", *format) != nullptr;
  return {is_signed || std::strchr("BHILQN", *format) != nullptr, is_signed};
}

// Beyond 32 bits: the nearest number, which is then out of range as an id.
template <typename Integer>
int LoadInteger(const char* data) {
  Integer value;
  std::memcpy(&value, data, sizeof(value));
  if constexpr (sizeof(Integer) >= sizeof(int)) {
    using Limits = std::numeric_limits<int>;
    if (std::cmp_less(value, Limits::min())) return Limits::min();
    if (std::cmp_greater(value, Limits::max())) return Limits::max();
  }
  return static_cast<int>(value);
}

int LoadInteger(const char* data, Py_ssize_t size, bool is_signed) {
  switch (size) {
    case 1:
      return is_signed ? LoadInteger<int8_t>(data) : LoadInteger<uint8_t>(data);
    case 2:
      return is_signed ? LoadInteger<int16_t>(data) : LoadInteger<uint16_t>(data);
    case 4:
      return is_signed ? LoadInteger<int32_t>(data) : LoadInteger<uint32_t>(data);
    default:
      return is_signed ? LoadInteger<int64_t>(data) : LoadInteger<uint64_t>(data);
  }
}

bool ReadArray(const BufferView& array, std::vector<int>* ids) {
  const IntegerFormat format = ParseFormat(array->format);
  if (!format.known) {
    PyErr_Format(PyExc_TypeError,
                 "the ids must be an array of integers in native byte order, "
                 "not of format '%s'",
                 array->format);
    return false;
  }
  if (array->ndim != 1) {
    PyErr_Format(PyExc_TypeError, "the ids must be an array of 1 dimension, not %d", array->ndim);
    return false;
  }
  const Py_ssize_t count = array->shape[0];
  const Py_ssize_t stride = array->strides[0];
  const char* data = static_cast<const char*>(array->buf);
  for (Py_ssize_t i = 0; i < count; ++i) {
    ids->push_back(LoadInteger(data + i * stride, array->itemsize, format.is_signed));
  }
  return true;
}

// Calls `read(row)` for the items of a sequence, as long as it returns true.
template <typename Read>
bool ForEachRow(PyObject* sequence, Read read) {
  if (!PySequence_Check(sequence)) {
    SetTypeError("a batch must be a sequence of sequences", sequence);
    return false;
  }
  const Reference rows = AsListOrTuple(sequence);
  if (!rows) return false;
  for (Py_ssize_t i = 0; i < SizeOfListOrTuple(rows.get()); ++i) {
    const Reference row = Reference::To(ItemOfListOrTuple(rows.get(), i));
    if (!read(row.get())) return false;
  }
  return true;
}

}  // namespace

bool ReadText(PyObject* object, Text* text) {
  if (ReadInPlace(object, &text->utf8)) {
    text->is_bytes = PyBytes_Check(object);
    return true;
  }
  if (PyUnicode_Check(object)) {
    // RuntimeError is what the oracle raises.
    PyErr_SetString(PyExc_RuntimeError,
                    "the text holds half of a surrogate pair, which UTF-8 "
                    "cannot spell: replace it, or pass bytes");
  } else {
    SetTypeError("the text must be str or bytes", object);
  }
  return false;
}

bool TextList::Read(PyObject* sequence) {
  if (!PySequence_Check(sequence) || IsTextOrBytes(sequence)) {
    SetTypeError("the texts must be a sequence of str or bytes", sequence);
    return false;
  }
  const Reference items = AsListOrTuple(sequence);
  if (!items) return false;
  const Py_ssize_t count = SizeOfListOrTuple(items.get());
  owners_.reserve(count);
  views_.reserve(count);
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!Append(ItemOfListOrTuple(items.get(), i))) return false;
  }
  is_bytes_ = count > 0 && PyBytes_Check(ItemOfListOrTuple(items.get(), 0));
  return true;
}

bool TextList::Append(PyObject* object) {
  // A bytearray may move: it is copied.
  Reference owner =
      PyByteArray_Check(object) ? Reference(PyBytes_FromObject(object)) : Reference::To(object);
  if (!owner) return false;
  std::string_view utf8;
  if (!ReadInPlace(owner.get(), &utf8)) {
    if (PyUnicode_Check(object)) {
      PyErr_Format(PyExc_TypeError,
                   "text %zd of the list holds half of a surrogate pair, which "
                   "UTF-8 cannot spell: replace it, or pass bytes",
                   static_cast<Py_ssize_t>(views_.size()));
    } else {
      SetTypeError("the texts of a list must be str or bytes", object);
    }
    return false;
  }
  owners_.push_back(std::move(owner));
  views_.push_back(utf8);
  return true;
}

bool ReadSingleId(PyObject* object, int* id) {
  Reference number = PyLong_Check(object)    ? Reference::To(object)
                     : PyIndex_Check(object) ? Reference(PyNumber_Index(object))
                                             : Reference();
  if (!number) {
    // An array has an __index__ that raises TypeError: it is no single id.
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_TypeError)) {
      PyErr_Clear();
    }
    return false;
  }
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow != 0 || !std::in_range<int>(value)) {
    PyErr_Format(PyExc_TypeError, "id %S does not fit into 32 bits", number.get());
    return false;
  }
  *id = static_cast<int>(value);
  return true;
}

bool ReadIds(PyObject* object, std::vector<int>* ids) {
  BufferView array;
  const bool has_fast_path =
      PyList_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object);
  if (!has_fast_path && array.Open(object)) return ReadArray(array, ids);
  return ReadIterable(object, ids);
}

bool ReadTextRows(PyObject* sequence, std::vector<TextList>* rows) {
  return ForEachRow(sequence, [&](PyObject* row) { return rows->emplace_back().Read(row); });
}

bool ReadIdRows(PyObject* sequence, IdRows* rows) {
  return ForEachRow(sequence, [&](PyObject* row) {
    if (!ReadIds(row, &rows->ids)) return false;
    rows->EndRow();
    return true;
  });
}

}  // namespace spmlite
