// SPDX-License-Identifier: Apache-2.0
#include "engine/BlockSequence.h"

#include <algorithm>
#include <utility>

namespace heddle::engine {

void BlockSequence::settle(Ended& ended) const {
  ended.sums.settle();
  if (print_ && !ended.text.empty())
    print_(ended.text);
}

void BlockSequence::await(std::int64_t number) {
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [&] { return isFirst(number) || last_ < number; });
}

void BlockSequence::end(std::int64_t number, LaterSums sums, std::string text) {
  const std::scoped_lock lock(mutex_);
  ended_.emplace(number, Ended{std::move(sums), std::move(text)});
  std::int64_t first = first_;
  for (auto next = ended_.begin(); next != ended_.end() && next->first == first && first <= last_;
       next = ended_.erase(next), ++first)
    settle(next->second);
  first_.store(first, std::memory_order_release);
  moved_.notify_all();
}

void BlockSequence::stopAfter(std::int64_t number) {
  const std::scoped_lock lock(mutex_);
  last_ = std::min(last_, number);
  moved_.notify_all();
}

void BlockSequence::finish(std::int64_t last) {
  for (auto& [number, ended] : ended_)
    if (number <= last)
      settle(ended);
  ended_.clear();
}

} // namespace heddle::engine
