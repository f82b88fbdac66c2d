// SPDX-License-Identifier: Apache-2.0
//
// The order in which a compiler for GPUs would put the steps of a basic block. LLVM's IR has a
// loop's counter and comparison behind the loop's work; ptxas puts them between instructions that
// wait for one another, and loads before what does not need them, so that a warp waits less.
#pragma once

#include "profile/KernelTrace.h"

#include <vector>

namespace heddle::lowering {

/// Reorders the steps of one block. Merges stay first and the branch last; accesses, barriers,
/// votes and calls keep their order among themselves.
void scheduleSteps(std::vector<profile::Step>& steps);

} // namespace heddle::lowering
