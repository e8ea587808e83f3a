// The Python type spmlite._native.Processor.

#ifndef SPMLITE_PY_PROCESSOR_TYPE_H_
#define SPMLITE_PY_PROCESSOR_TYPE_H_

#include "python_api.h"
#include "sentencepiece_lite.h"

namespace spmlite {

// Adds the type, the bits of Options and the numbers of Shape to the module.
// False with a Python error.
bool AddProcessorType(PyObject* module);

// What a Processor holds, for as long as it lives; nullptr with a TypeError for
// any other object. `module` is the one the type was added to.
const sentencepiece::lite::SentencePieceLiteProcessor* CoreOf(PyObject* module, PyObject* object);

}  // namespace spmlite

#endif  // SPMLITE_PY_PROCESSOR_TYPE_H_
