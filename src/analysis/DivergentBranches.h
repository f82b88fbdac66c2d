// SPDX-License-Identifier: Apache-2.0
//
// Branches that part the lanes of warps because of the thread's number. Silent where that costs
// little by construction: a bounds guard parts one warp of a grid, a short computation becomes a
// select, and one lane that writes a result for its warp is how it is done.
#pragma once

#include "analysis/Findings.h"
#include "analysis/ThreadDependence.h"

#include <llvm/ADT/DenseSet.h>

namespace heddle::analysis {

/// `explained`: branches that another check has spoken of. With `data`, also those that depend on
/// what threads have read.
void findDivergentBranches(const ThreadDependence& threads,
                           const llvm::DenseSet<const llvm::Instruction*>& explained, bool data,
                           Findings& to);

} // namespace heddle::analysis
