// The Python type spmlite._native.ArrowData, a converted column, and the functions that
// make one.

#ifndef SPMLITE_PY_ARROW_DATA_TYPE_H_
#define SPMLITE_PY_ARROW_DATA_TYPE_H_

#include "python_api.h"

namespace spmlite {

// False with a Python error.
bool AddArrow(PyObject* module);

}  // namespace spmlite

#endif  // SPMLITE_PY_ARROW_DATA_TYPE_H_
