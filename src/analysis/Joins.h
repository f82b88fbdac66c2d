// SPDX-License-Identifier: Apache-2.0
//
// Where lanes that part at a branch come together again: the immediate post-dominator, of a control
// flow graph without the paths that never come back. A lane that returns from the kernel early, or
// fails an assertion, leaves; the others do not wait for it until the end of the kernel:
//
//   if (a) { if (b) return; x(); }      the join of `a` is y(), although a -> b -> return passes it
//   y();                                by
//
// In a function that is called, lanes come together at its return: its callers wait for all of
// them.
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

namespace heddle::analysis {

inline constexpr int noBlock = -1;

/// Blocks by number, in reverse post-order from the entry, which is 0.
struct ControlFlow {
  explicit ControlFlow(llvm::Function& function);

  int number(const llvm::BasicBlock* block) const;

  std::vector<llvm::BasicBlock*> blocks;
  std::vector<std::vector<int>> successors;
  std::vector<std::vector<int>> predecessors;
};

/// The join of each block, noBlock where lanes do not meet again. Needs a function with at most one
/// return.
std::vector<int> findJoins(const ControlFlow& flow, bool isKernel);

} // namespace heddle::analysis
