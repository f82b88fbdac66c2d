// SPDX-License-Identifier: Apache-2.0
//
// The steps of blocks whose machine code is known (ptx/MachinePlan.h): one for each instruction of
// the machine, issued when ptxas planned it.
#pragma once

#include "profile/KernelTrace.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/BasicBlock.h>

namespace heddle::lowering {

/// BSYNC: lanes come to where others wait for them.
profile::Step stepToMeet();

/// Fills in `planned` of a function's blocks, whose shapes begin at `first`. A block of PTX that is
/// several here has all its steps in the first one. Does nothing where no machine code is known.
void addMachineSteps(llvm::ArrayRef<llvm::BasicBlock*> blocks,
                     llvm::function_ref<int(const llvm::Instruction&)> siteOf,
                     const std::vector<bool>& endInMeeting, std::size_t first,
                     profile::KernelShape& shape);

} // namespace heddle::lowering
