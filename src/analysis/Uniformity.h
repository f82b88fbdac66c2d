// SPDX-License-Identifier: Apache-2.0
//
// Which values are the same for all lanes that compute them together, so that one scalar in the
// frame of a warp serves them all.
//
// That needs more than equal operands: the scalar must not be overwritten by other lanes of the
// warp before it is used. Let P be the join of a divergent branch. A block that both sides can
// reach before P runs once for each side, with values of its own for each; so phis, loads and votes
// there are kept lane by lane, and so are phis at P. Values that leave a loop do so through phis
// (LCSSA), and are caught by the same rule.
#pragma once

#include "analysis/Joins.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace heddle::analysis {

class Uniformity {
public:
  /// Needs LCSSA form. Arguments of a kernel are uniform, those of other functions are not.
  Uniformity(const ControlFlow& flow, const std::vector<int>& joins, bool isKernel);

  bool isUniform(const llvm::Value* value) const;

private:
  bool spreadOnce();
  bool divergesByItself(const llvm::Instruction& instruction) const;
  bool hasDivergentOperand(const llvm::Instruction& instruction) const;
  void visitBranch(int block);

  const ControlFlow& flow_;
  const std::vector<int>& joins_;
  bool isKernel_;
  std::vector<bool> runsPerSide_; ///< blocks that run once for each side of a divergent branch
  std::vector<bool> isJoin_;      ///< of a divergent branch
  std::vector<bool> branchVisited_;
  llvm::DenseSet<const llvm::Value*> divergent_;
};

} // namespace heddle::analysis
