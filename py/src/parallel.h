// Work shared out over threads.

#ifndef SPMLITE_PY_PARALLEL_H_
#define SPMLITE_PY_PARALLEL_H_

#include <atomic>
#include <cstddef>

#include "sentencepiece_lite.h"

namespace spmlite {

// How many threads a caller's number stands for: below 0, one a core; 0 is 1.
int ThreadCount(int requested);

// Calls `work(i)` once for each i below `count`, from up to `threads` threads,
// this one included; returns when all is done. The caller has let go of the
// GIL, and `work` touches no Python object. Where the system gives no more
// threads, and in WebAssembly, those that are there do it all.
void ForEach(size_t count, int threads, sentencepiece::lite::FunctionRef<void(size_t)> work);

// For work that others wait for: raises `done` by one, and waits until it is more than
// `number`. Without threads, whose work is done in order, there is nothing to wait for.
void Advance(std::atomic<size_t>* done);
void WaitUntilAbove(const std::atomic<size_t>& done, size_t number);

}  // namespace spmlite

#endif  // SPMLITE_PY_PARALLEL_H_
