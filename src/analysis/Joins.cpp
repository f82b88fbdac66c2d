// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. find the blocks from which lanes come back: those that reach the main way to the return
//   2. immediate post-dominators of the graph without the others, and of the whole graph for these
//      (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm)
//   3. a return that is in no other branch changes nothing: `if (i >= n) return; rest` is
//      `if (i < n) rest`, and meets at the end
#include "analysis/Joins.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace heddle::analysis {
namespace {

using Edges = std::vector<std::vector<int>>;

/// Blocks from which a path leads to one of `goals`.
std::vector<bool> blocksThatReach(const std::vector<int>& goals, const Edges& predecessors) {
  std::vector<bool> reached(predecessors.size(), false);
  std::vector<int> work = goals;
  for (const int goal : goals)
    reached[std::size_t(goal)] = true;
  while (!work.empty()) {
    const int block = work.back();
    work.pop_back();
    for (const int before : predecessors[std::size_t(block)])
      if (!reached[std::size_t(before)]) {
        reached[std::size_t(before)] = true;
        work.push_back(before);
      }
  }
  return reached;
}

int returnBlock(const ControlFlow& flow) {
  for (std::size_t i = 0; i < flow.blocks.size(); ++i)
    if (llvm::isa<llvm::ReturnInst>(flow.blocks[i]->getTerminator()))
      return int(i);
  return noBlock;
}

/// The blocks from which lanes go to the kernel's return in the main way: the one that most blocks
/// can still take, or several with no order between them, as the two sides of a last if.
std::vector<bool> mainExits(const ControlFlow& flow, int exit) {
  std::vector<std::ptrdiff_t> reach(flow.blocks.size(), 0);
  for (const int before : flow.predecessors[std::size_t(exit)])
    reach[std::size_t(before)] =
        std::ranges::count(blocksThatReach({before}, flow.predecessors), true);
  const std::ptrdiff_t most = std::ranges::max(reach);
  std::vector<bool> main(flow.blocks.size(), false);
  for (std::size_t i = 0; i < main.size(); ++i)
    main[i] = reach[i] > 0 && reach[i] == most;
  return main;
}

class PostDominators {
public:
  /// Over the blocks marked `kept`; `exit` is one of them, and only `exits` lead to it.
  PostDominators(const ControlFlow& flow, int exit, const std::vector<bool>& kept,
                 const std::vector<bool>& exits)
      : immediate_(flow.blocks.size(), noBlock), rank_(flow.blocks.size(), noBlock) {
    order(flow, exit, kept, exits);
    immediate_[std::size_t(exit)] = exit;
    for (bool changed = true; changed;) {
      changed = false;
      for (const int block : order_) {
        int meet = noBlock;
        for (const int after : flow.successors[std::size_t(block)])
          if (rank_[std::size_t(after)] != noBlock && immediate_[std::size_t(after)] != noBlock &&
              (after != exit || exits[std::size_t(block)]))
            meet = meet == noBlock ? after : intersect(meet, after);
        if (block != exit && meet != noBlock && meet != immediate_[std::size_t(block)]) {
          immediate_[std::size_t(block)] = meet;
          changed = true;
        }
      }
    }
    immediate_[std::size_t(exit)] = noBlock;
  }

  int of(std::size_t block) const { return immediate_[block]; }

private:
  /// Reverse post-order of the reversed graph.
  void order(const ControlFlow& flow, int exit, const std::vector<bool>& kept,
             const std::vector<bool>& exits) {
    std::vector<std::pair<int, std::size_t>> path = {{exit, 0}};
    std::vector<bool> seen(flow.blocks.size(), false);
    seen[std::size_t(exit)] = true;
    std::vector<int> post;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      const std::vector<int>& before = flow.predecessors[std::size_t(block)];
      if (next == before.size()) {
        post.push_back(block);
        path.pop_back();
        continue;
      }
      const int candidate = before[next++];
      if (!seen[std::size_t(candidate)] && kept[std::size_t(candidate)] &&
          (block != exit || exits[std::size_t(candidate)])) {
        seen[std::size_t(candidate)] = true;
        path.emplace_back(candidate, 0);
      }
    }
    order_.assign(post.rbegin(), post.rend());
    for (std::size_t i = 0; i < order_.size(); ++i)
      rank_[std::size_t(order_[i])] = int(i);
  }

  int intersect(int a, int b) const {
    while (a != b) {
      while (rank_[std::size_t(a)] > rank_[std::size_t(b)])
        a = immediate_[std::size_t(a)];
      while (rank_[std::size_t(b)] > rank_[std::size_t(a)])
        b = immediate_[std::size_t(b)];
    }
    return a;
  }

  std::vector<int> immediate_;
  std::vector<int> rank_; ///< place in the order; noBlock for blocks left out
  std::vector<int> order_;
};

/// Whether a path leads from a branch to a block without passing the branch's join.
bool isBetween(const ControlFlow& flow, int branch, int join, int block) {
  std::vector<bool> seen(flow.blocks.size(), false);
  std::vector<int> work = {branch};
  while (!work.empty()) {
    const int at = work.back();
    work.pop_back();
    for (const int after : flow.successors[std::size_t(at)]) {
      if (after == block)
        return true;
      if (after != join && !seen[std::size_t(after)]) {
        seen[std::size_t(after)] = true;
        work.push_back(after);
      }
    }
  }
  return false;
}

} // namespace

ControlFlow::ControlFlow(llvm::Function& function) {
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    blocks.push_back(block);
  llvm::DenseMap<const llvm::BasicBlock*, int> numbers;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    numbers[blocks[i]] = int(i);
  successors.resize(blocks.size());
  predecessors.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (const llvm::BasicBlock* after : llvm::successors(blocks[i])) {
      successors[i].push_back(numbers.lookup(after));
      predecessors[std::size_t(numbers.lookup(after))].push_back(int(i));
    }
}

int ControlFlow::number(const llvm::BasicBlock* block) const {
  return int(std::ranges::find(blocks, block) - blocks.begin());
}

std::vector<int> findJoins(const ControlFlow& flow, bool isKernel) {
  std::vector<int> joins(flow.blocks.size(), noBlock);
  const int exit = returnBlock(flow);
  if (exit == noBlock)
    return joins;
  // Step 1: who comes back
  const std::vector<bool> all(flow.blocks.size(), true);
  const std::vector<bool> exits =
      isKernel && !flow.predecessors[std::size_t(exit)].empty() ? mainExits(flow, exit) : all;
  std::vector<int> goals;
  for (const int before : flow.predecessors[std::size_t(exit)])
    if (exits[std::size_t(before)])
      goals.push_back(before);
  std::vector<bool> kept = blocksThatReach(goals, flow.predecessors);
  kept[std::size_t(exit)] = true;
  // Step 2: where they meet
  const PostDominators alive(flow, exit, kept, exits);
  const PostDominators whole(flow, exit, all, all);
  for (std::size_t block = 0; block < joins.size(); ++block)
    joins[block] = kept[block] ? alive.of(block) : whole.of(block);
  // Step 3: a branch to the return that stands in no other branch meets the others there
  const auto goesOn = [&](int block, int after) {
    return kept[std::size_t(after)] && (after != exit || exits[std::size_t(block)]);
  };
  const auto waysOn = [&](int block) {
    return std::ranges::count_if(flow.successors[std::size_t(block)],
                                 [&](int after) { return goesOn(block, after); });
  };
  const std::vector<int> found = joins;
  for (int block = 0; block < int(joins.size()); ++block) {
    if (found[std::size_t(block)] == whole.of(std::size_t(block)) || waysOn(block) != 1)
      continue;
    bool enclosed = false;
    for (int outer = 0; outer < int(joins.size()) && !enclosed; ++outer)
      enclosed = outer != block && waysOn(outer) == 2 && found[std::size_t(outer)] != exit &&
                 isBetween(flow, outer, found[std::size_t(outer)], block);
    if (!enclosed)
      joins[std::size_t(block)] = whole.of(std::size_t(block));
  }
  return joins;
}

} // namespace heddle::analysis
