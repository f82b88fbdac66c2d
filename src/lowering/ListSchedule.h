// SPDX-License-Identifier: Apache-2.0
//
// List scheduling, as compilers do it in a basic block: nodes wait for others, one is issued after
// the other, and of those that can start the one with the longest way to the end of the block goes
// first. Whose nodes they are, and what follows from the order, is the caller's business: steps
// that are timed (steps/StepSchedule.h), or instructions whose registers are counted
// (registers/RegisterSchedule.h).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <limits>
#include <set>
#include <vector>

namespace heddle::lowering {

class ListSchedule {
public:
  /// A node that waits for another one, from its issue on.
  struct Wait {
    int node = 0;
    int cycles = 1;
  };

  static constexpr int noLimit = std::numeric_limits<int>::max();

  /// Compilers consider so many nodes at once, and so the time stays linear.
  explicit ListSchedule(int window = noLimit) : window_(window) {}

  /// Returns its number. `height`: cycles from its issue to the end of the block, if nobody waits
  /// for it; `slots`: cycles until the next one may issue.
  int add(int height, int slots = 1);

  /// Nothing for a node that waits for itself, or for none (-1).
  void wait(int node, int before, int cycles);

  int size() const { return int(nodes_.size()); }
  llvm::ArrayRef<Wait> waitingFor(int node) const { return nodes_[std::size_t(node)].waiting; }
  const std::set<int>& startable() const { return startable_; }
  int window() const { return window_; }

  /// Calls `issue` with the nodes in their order. `prefer` is asked with the best of those that can
  /// start, and may name another one of them.
  void run(llvm::function_ref<void(int)> issue, llvm::function_ref<int(int)> prefer);
  void run(llvm::function_ref<void(int)> issue) {
    run(issue, [](int best) { return best; });
  }

private:
  struct Node {
    llvm::SmallVector<Wait, 4> waiting; ///< nodes that wait for it
    int waits = 0;                      ///< for so many nodes
    int height = 0;
    int slots = 1;
    int ready = 0; ///< when what it waits for is there
  };

  void measureHeights();
  int choose(int now) const;

  int window_;
  std::vector<Node> nodes_;
  std::set<int> startable_;
};

} // namespace heddle::lowering
