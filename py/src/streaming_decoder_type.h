// The Python type spmlite._native.StreamingDecoder.

#ifndef SPMLITE_PY_STREAMING_DECODER_TYPE_H_
#define SPMLITE_PY_STREAMING_DECODER_TYPE_H_

#include "python_api.h"

namespace spmlite {

// Adds the type to the module, which has Processor. False with a Python error.
bool AddStreamingDecoderType(PyObject* module);

}  // namespace spmlite

#endif  // SPMLITE_PY_STREAMING_DECODER_TYPE_H_
