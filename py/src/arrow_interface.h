// The structs in which Arrow data goes from one library to another inside a process, as
// they are laid down by the Arrow C data and stream interfaces:
// https://arrow.apache.org/docs/format/CDataInterface.html
// https://arrow.apache.org/docs/format/CStreamInterface.html
// and the names of the capsules that carry them through Python:
// https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

#ifndef SPMLITE_PY_ARROW_INTERFACE_H_
#define SPMLITE_PY_ARROW_INTERFACE_H_

#include <cstdint>

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);  // nullptr once it is released
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;  // -1: not counted
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

namespace spmlite {

constexpr int64_t kArrowNullable = 2;  // ARROW_FLAG_NULLABLE

constexpr char kSchemaCapsule[] = "arrow_schema";
constexpr char kArrayCapsule[] = "arrow_array";
constexpr char kStreamCapsule[] = "arrow_array_stream";

}  // namespace spmlite

#endif  // SPMLITE_PY_ARROW_INTERFACE_H_
