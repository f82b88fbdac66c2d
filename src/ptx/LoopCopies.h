// SPDX-License-Identifier: Apache-2.0
//
// A loop that ptxas unrolled has several copies of an instruction in machine code. This says which
// of them a round of the loop runs. For n rounds, as ptxas of CUDA 13.0 does it:
//
//   copies as they stand              round k runs
//   a b c                             the k-th: the loop has three rounds (or six, ...: then again)
//   a [b c d e]                       a, then b, c, d, e, b, ...
//   a [b c d e] f g h                 the same for as long as four are left; of those that remain f
//                                     and g are two, h is one
//
// [...] is a loop of machine code. There may be no `a`; with a predicate it is for a loop without a
// round, which a PTX loop with its test at the end runs once all the same, and does not count.
#pragma once

#include "ptx/FuseProducts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <memory>

namespace llvm {
class AssumptionCache;
class ScalarEvolution;
class TargetLibraryInfo;
class TargetLibraryInfoImpl;
} // namespace llvm

namespace heddle::ptx {

class LoopCopies {
public:
  explicit LoopCopies(llvm::Function& function);
  ~LoopCopies();

  /// The innermost loop around an instruction; nullptr where there is none.
  const llvm::Loop* loopOf(const llvm::Instruction& at) const;
  /// Whether the copy of a sum that a round runs has a product in it, as a value in front of the
  /// sum. nullptr where copies cannot be told apart.
  llvm::Value* isFused(llvm::Instruction& sum, const std::vector<MachineSum>& copies);

private:
  struct Form {
    unsigned before = 0, inLoop = 0, behind = 0;
  };
  llvm::Value* copyOfRound(llvm::Instruction& sum, const Form& form);
  llvm::Value* roundOf(const llvm::Loop& loop);
  llvm::Value* roundsOf(const llvm::Loop& loop);

  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::unique_ptr<llvm::AssumptionCache> assumptions_;
  std::unique_ptr<llvm::TargetLibraryInfoImpl> knownFunctions_;
  std::unique_ptr<llvm::TargetLibraryInfo> functions_;
  std::unique_ptr<llvm::ScalarEvolution> evolution_;
  llvm::DenseMap<const llvm::Loop*, llvm::Value*> round_, rounds_;
};

} // namespace heddle::ptx
