// The memory of a module, linked into both: blocks for the host, and what
// happens when no more is to be had.
//
//   spmlite_allocate(size)            a block aligned to 8 bytes, or 0
//   spmlite_reallocate(block, size)   the block, grown or moved, or 0 (and the
//                                     old block stays)
//   spmlite_release(block)            gives a block back; 0 is allowed
//   spmlite_refused_bytes()           after a trap: the size of the allocation
//                                     that was refused, 0 if that was not why
//
// An allocation of C++ that is refused traps, since nothing here throws. The
// instance can still be read afterwards, but no longer be called: make a new
// one.

#include <cstddef>
#include <cstdlib>
#include <new>

#include "exports.h"

namespace {

size_t refused_bytes = 0;

void* AllocateOrTrap(size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) {
    refused_bytes = size;
    __builtin_trap();
  }
  return block;
}

}  // namespace

SPMLITE_EXPORT(spmlite_allocate) void* spmlite_allocate(size_t size) { return std::malloc(size); }

SPMLITE_EXPORT(spmlite_reallocate)
void* spmlite_reallocate(void* block, size_t size) { return std::realloc(block, size); }

SPMLITE_EXPORT(spmlite_release) void spmlite_release(void* block) { std::free(block); }

SPMLITE_EXPORT(spmlite_refused_bytes) size_t spmlite_refused_bytes() { return refused_bytes; }

// Emscripten calls this when the memory has grown; a host sees that for itself,
// and with a definition here the module has one import less.
extern "C" void emscripten_notify_memory_growth(size_t) {}

void* operator new(size_t size) { return AllocateOrTrap(size); }
void* operator new[](size_t size) { return AllocateOrTrap(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t) noexcept { std::free(block); }

// libc++ comes here where it would throw, a string beyond its largest size for
// one. Its own definition prints, and would bring in printf and a file system.
namespace std {
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) { __builtin_trap(); }
}  // namespace std
