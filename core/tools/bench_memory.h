// How much memory a program takes, where the system tells.

#ifndef SPMLITE_CORE_TOOLS_BENCH_MEMORY_H_
#define SPMLITE_CORE_TOOLS_BENCH_MEMORY_H_

#include <cstddef>
#include <cstdio>
#include <optional>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace spmlite_tools {

// Bytes of the blocks that malloc has given out and not got back.
inline std::optional<size_t> HeapBytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
#else
  return std::nullopt;
#endif
}

// The most memory that the process has had resident, in KB (VmHWM, proc(5)).
inline std::optional<size_t> PeakKilobytes() {
#if defined(__linux__)
  std::FILE* status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) return std::nullopt;
  std::optional<size_t> peak;
  char line[256];
  while (std::fgets(line, sizeof(line), status) != nullptr) {
    size_t kilobytes = 0;
    if (std::sscanf(line, "VmHWM: %zu kB", &kilobytes) == 1) peak = kilobytes;
  }
  std::fclose(status);
  return peak;
#else
  return std::nullopt;
#endif
}

}  // namespace spmlite_tools

#endif  // SPMLITE_CORE_TOOLS_BENCH_MEMORY_H_
