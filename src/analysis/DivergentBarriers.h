// SPDX-License-Identifier: Apache-2.0
//
// Barriers that some threads of a block do not come to. Where the others have returned it is a
// note: from compute capability 7.0 on a barrier waits only for threads that still run, and every
// GPU in use lets it pass; what such threads were to contribute before the barrier is missing all
// the same.
#pragma once

#include "analysis/Findings.h"
#include "analysis/ThreadDependence.h"

namespace heddle::analysis {

void findDivergentBarriers(const ThreadDependence& threads, Findings& to);

/// __syncthreads and its variants.
bool isBlockBarrier(const llvm::Instruction& instruction);

} // namespace heddle::analysis
