// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/KernelTrace.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace heddle::analysis {

/// Whether threads take their work from a counter until there is none left, and from whose: one in
/// shared memory is a block's. `while ((i = atomicAdd(next, 1)) < n)`. Which of them takes how much
/// depends on who comes first.
profile::WorkCounter takesWork(const llvm::Function& function, const llvm::LoopInfo& loops);

} // namespace heddle::analysis
