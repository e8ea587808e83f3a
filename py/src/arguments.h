// From Python objects to what the core reads. What fails has set a Python
// error.

#ifndef SPMLITE_PY_ARGUMENTS_H_
#define SPMLITE_PY_ARGUMENTS_H_

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "python_api.h"

namespace spmlite {

// A str or bytes, read where it lies: the object must outlive it.
struct Text {
  std::string_view utf8;
  bool is_bytes = false;
};

bool ReadText(PyObject* object, Text* text);

// The texts of a list, or of another sequence. They stay alive, and in place,
// even if the list is changed while the GIL is let go.
class TextList {
 public:
  bool Read(PyObject* sequence);

  std::span<const std::string_view> views() const { return views_; }
  size_t size() const { return views_.size(); }
  // Whether the first text was given as bytes.
  bool is_bytes() const { return is_bytes_; }

 private:
  bool Append(PyObject* object);

  std::vector<Reference> owners_;
  std::vector<std::string_view> views_;
  bool is_bytes_ = false;
};

// A sequence of sequences of texts.
bool ReadTextRows(PyObject* sequence, std::vector<TextList>* rows);

// Sequences of ids, one after the other.
struct IdRows {
  std::vector<int> ids;
  std::vector<size_t> ends;  // where each row ends in `ids`

  void EndRow() { ends.push_back(ids.size()); }
  size_t size() const { return ends.size(); }
  std::span<const int> Row(size_t row) const {
    const size_t begin = row == 0 ? 0 : ends[row - 1];
    return {ids.data() + begin, ends[row] - begin};
  }
};

// One id. False without a Python error where the object is no single integer.
bool ReadSingleId(PyObject* object, int* id);

// A list, an array or another iterable of integers, appended to `ids`.
bool ReadIds(PyObject* object, std::vector<int>* ids);

// A sequence of such, or a two-dimensional array.
bool ReadIdRows(PyObject* sequence, IdRows* rows);

}  // namespace spmlite

#endif  // SPMLITE_PY_ARGUMENTS_H_
