// Python's C interface, its stable part alone (abi3 from 3.11 on), and the two
// scopes that every function here needs: a reference held, the GIL let go.

#ifndef SPMLITE_PY_PYTHON_API_H_
#define SPMLITE_PY_PYTHON_API_H_

#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <utility>

namespace spmlite {

// Owns one reference to an object, or none.
class Reference {
 public:
  Reference() = default;
  explicit Reference(PyObject* owned) : object_(owned) {}
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() { Py_XDECREF(object_); }

  static Reference To(PyObject* borrowed) { return Reference(Py_NewRef(borrowed)); }

  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }

 private:
  PyObject* object_ = nullptr;
};

// Lets other Python threads run while it lives; no Python object may be
// touched.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() { PyEval_RestoreThread(state_); }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace spmlite

#endif  // SPMLITE_PY_PYTHON_API_H_
