// SPDX-License-Identifier: Apache-2.0
//
// Which values are the same for all lanes that compute them together, so that one scalar in the
// frame of a warp serves them all.
//
// That needs more than equal operands: a scalar must not be written anew by some lanes while
// others, who still need the old one, wait. Lanes wait where Joins.h lets them meet, so the rule
// follows it:
//
//   branch     while lanes of one side run up to the join, those of the other wait at their first
//              block or at the join: what runs meanwhile must not define what is needed there
//   loop       once some lanes have left it and wait behind it, others go round: what the loop
//              defines must not be needed there (LCSSA form makes that phis of their own)
//   join       lanes come to it at different times: its phis are written in turns
//   waiting    where lanes that have parted may wait for others at a barrier, a vote or by polling,
//              lanes go on from joins without them: nothing is shared any more
//
// What is computed from nothing but constants, arguments and values from before the branch may be
// computed again: it comes out the same.
//
// LLVM's UniformityInfo knows the second rule (as temporal divergence) and irreducible cycles, but
// answers another question: whether a value is the same for lanes that run together, if lanes run
// together as much as they may. It has no word for lanes that wait in the middle of an iteration
// with a scalar that others overwrite, and it takes its sources of divergence from the target,
// whose answers are for code generation (NVPTX: every load diverges).
#pragma once

#include "analysis/Joins.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace heddle::analysis {

class Uniformity {
public:
  /// Arguments of a kernel are uniform, those of other functions are not.
  Uniformity(const ControlFlow& flow, const Joins& joins, bool isKernel);

  bool isUniform(const llvm::Value* value) const;

private:
  using Blocks = std::vector<bool>;

  bool spreadOnce();
  bool divergesByItself(const llvm::Instruction& instruction) const;
  bool hasDivergentOperand(const llvm::Instruction& instruction) const;
  void visitBranch(int block);
  void visitLeftLevel(int level);
  Blocks stopsOf(int level) const;
  Blocks reached(const std::vector<int>& from, const Blocks& stops) const;
  void noteLeftLevels(int branch, const Blocks& run);
  void noteWaiting(const Blocks& run);
  void keepApart(const Blocks& run, const llvm::BitVector& needed);
  void keepPhisApart(int join, const Blocks& run, const llvm::BitVector& needed);
  void findLiveValues();

  const ControlFlow& flow_;
  const Joins& joins_;
  bool isKernel_;
  llvm::DenseMap<const llvm::Value*, unsigned>
      numbers_;                       ///< of phis and values that leave their block
  std::vector<llvm::BitVector> live_; ///< at the beginning of each block, with its phis
  std::vector<bool> branchVisited_;
  std::vector<bool> levelLeft_; ///< by some lanes while others stay
  bool mayWaitApart_ = false;   ///< for each other, lanes that have parted
  llvm::DenseSet<const llvm::Value*> divergent_;
};

} // namespace heddle::analysis
