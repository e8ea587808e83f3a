// Counting tokens and cutting texts to a number of them.

#ifndef SPMLITE_PY_SPLITTING_FUNCTIONS_H_
#define SPMLITE_PY_SPLITTING_FUNCTIONS_H_

#include "python_api.h"

namespace spmlite {

// Adds the functions count, count_batch, truncate and split to the module. False with
// a Python error set.
bool AddSplitting(PyObject* module);

}  // namespace spmlite

#endif  // SPMLITE_PY_SPLITTING_FUNCTIONS_H_
