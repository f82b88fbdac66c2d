// SPDX-License-Identifier: Apache-2.0
//
// Where lanes that part at a branch come together again, as ptxas arranges it for a GPU since Volta
// (docs/design/engine.md, "Where lanes meet"):
//
//   while (a) {                 lanes that stay in a loop meet in every iteration, whatever others
//     if (b) { x(); continue; } do: the join of `b` and of `c` is the way back to `a`
//     if (c) break;
//     y();
//   }                           lanes that leave a loop wait for the others behind it
//   z();
//
// So every loop is a level of its own. Between two branches of one level the join is the immediate
// post-dominator in a graph that has the loops inside as single nodes, the way back as its end, and
// no edges that leave. A lane that returns from the kernel leaves everything: nobody waits for it.
// In a function that is called, lanes come together at its return.
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

namespace heddle::analysis {

inline constexpr int noBlock = -1;
inline constexpr int noLevel = -1;

/// Blocks by number, in reverse post-order from the entry, which is 0.
struct ControlFlow {
  explicit ControlFlow(llvm::Function& function);

  int number(const llvm::BasicBlock* block) const;

  std::vector<llvm::BasicBlock*> blocks;
  std::vector<std::vector<int>> successors;
  std::vector<std::vector<int>> predecessors;

private:
  llvm::DenseMap<const llvm::BasicBlock*, int> numbers_;
};

/// A loop, a region that some ways leave early, or, as level 0, the function. Levels are numbered
/// outer ones first.
struct Level {
  int parent = noLevel;
  int end = 0;            ///< the levels from its own number up to here are in it
  int entry = noBlock;    ///< where it is entered; noBlock where there are several ways in
  int header = noBlock;   ///< of a loop: where lanes that stay meet
  int exitJoin = noBlock; ///< where lanes that have left it meet
};

struct Joins {
  std::vector<int> at;      ///< for each block, where lanes meet that its branch parts; or noBlock
  std::vector<int> levelOf; ///< the innermost level of each block
  std::vector<Level> levels;

  bool contains(int level, int block) const {
    const int inner = levelOf[std::size_t(block)];
    return level <= inner && inner < levels[std::size_t(level)].end;
  }
  /// The outermost level that an edge leaves.
  int leftBy(int from, int to) const;
  /// The outermost level that the branch of a block leaves.
  int leftBy(const ControlFlow& flow, int block) const;
  /// The innermost loop of a block; 0 for none.
  int loopOf(int block) const;
};

/// Needs a function with at most one return, and two-way branches only.
Joins findJoins(const ControlFlow& flow, bool isKernel);

/// The immediate post-dominator of each block.
std::vector<int> findPostDominators(const ControlFlow& flow);

} // namespace heddle::analysis
