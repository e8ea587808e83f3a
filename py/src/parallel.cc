#include "parallel.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "python_api.h"

namespace spmlite {

using sentencepiece::lite::FunctionRef;

#ifdef __EMSCRIPTEN__

int ThreadCount(int) { return 1; }

void ForEach(size_t count, int, FunctionRef<void(size_t)> work) {
  for (size_t i = 0; i < count; ++i) work(i);
}

void Advance(std::atomic<size_t>* done) { ++*done; }
void WaitUntilAbove(const std::atomic<size_t>&, size_t) {}

#else

namespace {

// The largest number of threads that the oracle starts.
constexpr int kMaxThreads = 1024;

// What Python's call returns for a failure, by its documentation.
constexpr auto kNoThread = static_cast<unsigned long>(-1);

// Shared with the helpers, which may still wake the caller when it has gone on.
struct Crew {
  Crew(size_t count, FunctionRef<void(size_t)> work) : count(count), work(work) {}

  void Work() {
    for (size_t i = next++; i < count; i = next++) work(i);
  }

  const size_t count;
  const FunctionRef<void(size_t)> work;
  std::atomic<size_t> next = 0;
  std::atomic<int> helpers = 0;
};

void Help(void* argument) {
  const std::unique_ptr<std::shared_ptr<Crew> > crew(static_cast<std::shared_ptr<Crew>*>(argument));
  (*crew)->Work();
  if (--(*crew)->helpers == 0) (*crew)->helpers.notify_one();
}

// Python's own call reports a failure, where std::thread would end the process.
void StartHelper(const std::shared_ptr<Crew>& crew) {
  auto argument = std::make_unique<std::shared_ptr<Crew> >(crew);
  ++crew->helpers;
  if (PyThread_start_new_thread(Help, argument.get()) == kNoThread) {
    --crew->helpers;
  } else {
    argument.release();  // Help deletes it
  }
}

}  // namespace

int ThreadCount(int requested) {
  if (requested < 0) {
    requested = static_cast<int>(std::thread::hardware_concurrency());
  }
  return std::clamp(requested, 1, kMaxThreads);
}

void ForEach(size_t count, int threads, FunctionRef<void(size_t)> work) {
  const auto crew = std::make_shared<Crew>(count, work);
  const int wanted = static_cast<int>(std::min<size_t>(count, static_cast<size_t>(threads)));
  for (int i = 1; i < wanted; ++i) StartHelper(crew);
  crew->Work();
  for (int left = crew->helpers; left != 0; left = crew->helpers) {
    crew->helpers.wait(left);
  }
}

void Advance(std::atomic<size_t>* done) {
  ++*done;
  done->notify_all();
}

void WaitUntilAbove(const std::atomic<size_t>& done, size_t number) {
  for (size_t now = done; now <= number; now = done) done.wait(now);
}

#endif

}  // namespace spmlite
