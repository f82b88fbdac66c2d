// SPDX-License-Identifier: Apache-2.0
//
// Hoisting: ptxas counts a loop's turns and compares at its beginning, so that the branch at its
// end finds the outcome.
#pragma once

#include "lowering/FlowFacts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

namespace heddle::lowering {

struct LoopConditions {
  explicit LoopConditions(const FlowFacts& flow);

  /// By a loop's first block, what is done there although it stands in the last one.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<const llvm::Instruction*, 2>> early;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> isEarly;
};

} // namespace heddle::lowering
