// SPDX-License-Identifier: Apache-2.0
//
// The order of thread blocks, or of clusters of them, that run at the same time: that of their
// numbers. What one leaves behind, text and sums of floats, takes effect when all before it have
// ended; and one that is about to do what others can see waits until it is the first of those that
// run. So results and account are those of one worker that runs them one after the other.
//
// Blocks start in order and each stays with its worker to the end, so that the first one always has
// a thread of ours that runs it, and nobody waits for ever.
#pragma once

#include "engine/LaterSums.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace heddle::engine {

class BlockSequence {
public:
  using Print = std::function<void(std::string_view)>;

  explicit BlockSequence(const Print& print) : print_(print) {}

  /// Whether all before it have ended.
  bool isFirst(std::int64_t number) const {
    return first_.load(std::memory_order_acquire) == number;
  }

  /// Returns when all before it have ended, or when the launch has stopped before it.
  void await(std::int64_t number);

  /// It has ended, and leaves this.
  void end(std::int64_t number, LaterSums sums, std::string text);

  /// Those after it count no more, and need not wait.
  void stopAfter(std::int64_t number);

  /// The launch is over: what is left takes effect, up to this one.
  void finish(std::int64_t last);

private:
  struct Ended {
    LaterSums sums;
    std::string text;
  };
  void settle(Ended& ended) const;

  const Print& print_;
  std::atomic<std::int64_t> first_ = 0; ///< that has not ended
  std::mutex mutex_;
  std::condition_variable moved_;
  std::int64_t last_ = std::numeric_limits<std::int64_t>::max(); ///< that counts
  std::map<std::int64_t, Ended> ended_;                          ///< before others that have not
};

} // namespace heddle::engine
