// SPDX-License-Identifier: Apache-2.0
#include "lowering/ListSchedule.h"

#include <algorithm>
#include <utility>

namespace heddle::lowering {

int ListSchedule::add(int height, int slots) {
  nodes_.push_back({.height = height, .slots = slots});
  return size() - 1;
}

void ListSchedule::wait(int node, int before, int cycles) {
  if (before < 0 || before == node)
    return;
  nodes_[std::size_t(before)].waiting.push_back({node, cycles});
  ++nodes_[std::size_t(node)].waits;
}

void ListSchedule::measureHeights() {
  for (int i = size() - 1; i >= 0; --i)
    for (const Wait& next : nodes_[std::size_t(i)].waiting)
      nodes_[std::size_t(i)].height = std::max(nodes_[std::size_t(i)].height,
                                               next.cycles + nodes_[std::size_t(next.node)].height);
}

/// The highest node whose operands are there, or that has them soonest.
int ListSchedule::choose(int now) const {
  int best = -1, seen = 0;
  std::pair<int, int> bestKey;
  for (const int number : startable_) {
    const Node& node = nodes_[std::size_t(number)];
    const std::pair<int, int> key = {std::max(node.ready, now), -node.height};
    if (best < 0 || key < bestKey) {
      best = number;
      bestKey = key;
    }
    if (++seen == window_)
      break;
  }
  return best;
}

void ListSchedule::run(llvm::function_ref<void(int)> issue, llvm::function_ref<int(int)> prefer) {
  measureHeights();
  for (int i = 0; i < size(); ++i)
    if (nodes_[std::size_t(i)].waits == 0)
      startable_.insert(i);
  for (int now = 0; !startable_.empty();) {
    const int number = prefer(choose(now));
    startable_.erase(number);
    const Node& node = nodes_[std::size_t(number)];
    now = std::max(now, node.ready);
    issue(number);
    for (const Wait& next : node.waiting) {
      Node& waiting = nodes_[std::size_t(next.node)];
      waiting.ready = std::max(waiting.ready, now + next.cycles);
      if (--waiting.waits == 0)
        startable_.insert(next.node);
    }
    now += node.slots;
  }
}

} // namespace heddle::lowering
