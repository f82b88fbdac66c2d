// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace heddle::analysis {

/// Whether threads take their work from a counter in global memory until there is none left:
/// `while ((i = atomicAdd(next, 1)) < n)`. Which of them takes how much depends on who comes first.
bool takesWork(const llvm::Function& function, const llvm::LoopInfo& loops);

} // namespace heddle::analysis
