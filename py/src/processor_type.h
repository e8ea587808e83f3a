// The Python type spmlite._native.Processor.

#ifndef SPMLITE_PY_PROCESSOR_TYPE_H_
#define SPMLITE_PY_PROCESSOR_TYPE_H_

#include "python_api.h"

namespace spmlite {

// Adds the type, and the bits of Framing, to the module. False with a Python
// error.
bool AddProcessorType(PyObject* module);

}  // namespace spmlite

#endif  // SPMLITE_PY_PROCESSOR_TYPE_H_
