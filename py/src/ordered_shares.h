// Work on shares of a whole, done by many threads, whose results are taken up in order:
// only some of them exist at any time.

#ifndef SPMLITE_PY_ORDERED_SHARES_H_
#define SPMLITE_PY_ORDERED_SHARES_H_

#include <atomic>
#include <cstddef>
#include <vector>

#include "parallel.h"

namespace spmlite {

// Calls `make(share, &result)` for each share below `count` from up to `threads` threads,
// and `take(result)` for each result, from the first to the last, one at a time. A Result
// is used again for later shares.
template <typename Result, typename Make, typename Take>
class OrderedShares {
 public:
  OrderedShares(size_t count, int threads, Make make, Take take)
      : count_(count),
        threads_(threads),
        make_(make),
        take_(take),
        slots_(kSlotsForThread * static_cast<size_t>(threads)) {}

  void Run() {
    ForEach(count_, threads_, [this](size_t share) {
      if (share >= slots_.size()) WaitUntilAbove(taken_, share - slots_.size());
      Slot& slot = slots_[share % slots_.size()];
      make_(share, &slot.result);
      slot.ready = true;
      TakeReady();
    });
  }

 private:
  // How far threads may run ahead of the first share that is not done: a few, since
  // shares take about the same time.
  static constexpr size_t kSlotsForThread = 4;

  struct Slot {
    Result result;
    std::atomic<bool> ready = false;
  };

  // Whoever finds the next result takes it, unless another thread is at it: that one looks
  // once more after it has stopped, so none is left lying.
  void TakeReady() {
    while (NextIsReady() && !taking_.exchange(true)) {
      for (; NextIsReady(); MarkTaken()) take_(NextSlot().result);
      taking_ = false;
    }
  }
  Slot& NextSlot() { return slots_[taken_ % slots_.size()]; }
  bool NextIsReady() { return NextSlot().ready; }
  void MarkTaken() {
    NextSlot().ready = false;
    Advance(&taken_);
  }

  const size_t count_;
  const int threads_;
  Make make_;
  Take take_;
  std::vector<Slot> slots_;
  std::atomic<size_t> taken_ = 0;
  std::atomic<bool> taking_ = false;
};

}  // namespace spmlite

#endif  // SPMLITE_PY_ORDERED_SHARES_H_
