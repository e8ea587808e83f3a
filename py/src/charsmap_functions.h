// The rules of a normalizer, between Python and a precompiled charsmap.

#ifndef SPMLITE_PY_CHARSMAP_FUNCTIONS_H_
#define SPMLITE_PY_CHARSMAP_FUNCTIONS_H_

#include "python_api.h"

namespace spmlite {

// Adds the functions compile_charsmap and decompile_charsmap to the module. False with a
// Python error set.
bool AddCharsmapFunctions(PyObject* module);

}  // namespace spmlite

#endif  // SPMLITE_PY_CHARSMAP_FUNCTIONS_H_
