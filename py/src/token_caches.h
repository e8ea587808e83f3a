// Token caches for whatever threads encode: borrowed for the time of a text or of a
// share of a batch, so that short-lived threads find warm ones.

#ifndef SPMLITE_PY_TOKEN_CACHES_H_
#define SPMLITE_PY_TOKEN_CACHES_H_

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "cached_sentencepiece_lite.h"

namespace spmlite {

// As many caches, of 1.5 MB each, as threads ever encoded at the same time. Any thread
// may borrow at any time.
class TokenCaches {
 public:
  using TokenCache = sentencepiece::lite::TokenCache;

  // One cache, for the thread that holds it, until it goes out of scope.
  class Borrowed {
   public:
    explicit Borrowed(TokenCaches* caches) : caches_(caches), cache_(caches->Take()) {}
    ~Borrowed() { caches_->GiveBack(std::move(cache_)); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    TokenCache& operator*() const { return *cache_; }

   private:
    TokenCaches* caches_;
    std::unique_ptr<TokenCache> cache_;
  };

  // Those of the process, which live as long as it does.
  static TokenCaches* OfProcess() {
    static TokenCaches* const caches = new TokenCaches;
    return caches;
  }

 private:
  // Held for the time of moving a pointer. (std::mutex is not among what every Pyodide
  // exports to a module.)
  class Lock {
   public:
    explicit Lock(std::atomic_flag* taken) : taken_(taken) {
      while (taken_->test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Lock() { taken_->clear(std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    std::atomic_flag* taken_;
  };

  std::unique_ptr<TokenCache> Take() {
    {
      const Lock lock(&taken_);
      if (!idle_.empty()) {
        std::unique_ptr<TokenCache> cache = std::move(idle_.back());
        idle_.pop_back();
        return cache;
      }
    }
    return std::make_unique<TokenCache>();
  }

  void GiveBack(std::unique_ptr<TokenCache> cache) {
    const Lock lock(&taken_);
    idle_.push_back(std::move(cache));
  }

  std::atomic_flag taken_;
  std::vector<std::unique_ptr<TokenCache>> idle_;
};

}  // namespace spmlite

#endif  // SPMLITE_PY_TOKEN_CACHES_H_
