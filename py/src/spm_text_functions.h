// `.spm` files, and what of a `.model` two of them are compared by.

#ifndef SPMLITE_PY_SPM_TEXT_FUNCTIONS_H_
#define SPMLITE_PY_SPM_TEXT_FUNCTIONS_H_

#include "python_api.h"

namespace spmlite {

// Adds the functions is_spm_text, spm_text_to_model, model_to_spm_text and read_model to
// the module. False with a Python error set.
bool AddSpmTextFunctions(PyObject* module);

}  // namespace spmlite

#endif  // SPMLITE_PY_SPM_TEXT_FUNCTIONS_H_
