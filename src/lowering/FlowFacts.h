// SPDX-License-Identifier: Apache-2.0
//
// What many questions about one function need: its dominators and its loops, found once.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace heddle::lowering {

struct FlowFacts {
  explicit FlowFacts(const llvm::Function& function)
      : dominators(const_cast<llvm::Function&>(function)),
        postDominators(const_cast<llvm::Function&>(function)), loops(dominators) {}

  llvm::DominatorTree dominators;
  llvm::PostDominatorTree postDominators;
  llvm::LoopInfo loops;
};

} // namespace heddle::lowering
