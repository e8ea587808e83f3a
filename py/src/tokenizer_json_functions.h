// Files of Hugging Face's tokenizers.

#ifndef SPMLITE_PY_TOKENIZER_JSON_FUNCTIONS_H_
#define SPMLITE_PY_TOKENIZER_JSON_FUNCTIONS_H_

#include "python_api.h"

namespace spmlite {

// Adds the function tokenizer_json_to_model to the module. False with a Python error set.
bool AddTokenizerJsonFunctions(PyObject* module);

}  // namespace spmlite

#endif  // SPMLITE_PY_TOKENIZER_JSON_FUNCTIONS_H_
