// SPDX-License-Identifier: Apache-2.0
//
// What ptxas made of a function, where it was asked: lengths of blocks (ptx/BlockMark.h) and steps,
// one for each instruction of the machine, issued when ptxas planned it (ptx/MachinePlan.h).
#pragma once

#include "analysis/Joins.h"
#include "lowering/AccountLengths.h"
#include "profile/KernelTrace.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instruction.h>

#include <optional>
#include <vector>

namespace heddle::lowering {

struct PlannedSteps {
  std::vector<profile::Step> steps;
  unsigned rounds = 1; ///< of the loop around the block that the steps are
};

struct MachineCode {
  AccountLengths lengths;
  /// By block; empty where ptxas's plan is not known. A block of PTX that is several here has all
  /// its steps in the first one.
  std::vector<PlannedSteps> planned;
};

/// BSYNC: lanes come to where others wait for them.
profile::Step stepToMeet();

/// Nothing where ptxas was not asked.
std::optional<MachineCode> machineCodeOf(const analysis::ControlFlow& flow,
                                         const analysis::Joins& joins,
                                         llvm::function_ref<int(const llvm::Instruction&)> siteOf);

} // namespace heddle::lowering
