// SPDX-License-Identifier: Apache-2.0
//
// Tree reductions in shared memory, in the forms that textbooks warn of:
//
//   for (s = 1; s < blockDim.x; s *= 2) {
//     if (tid % (2 * s) == 0)              divergent: the threads that add are spread over all
//     warps
//       x[tid] += x[tid + s];
//     i = 2 * s * tid;                     conflicting: the lanes of a warp hit few banks
//     if (i < blockDim.x) x[i] += x[i + s];
//   }
//   x[tid] += x[tid + 16];                 tail: nothing makes the lanes see what others wrote,
//   x[tid] += x[tid + 8];                  neither volatile nor __syncwarp()
#pragma once

#include "analysis/Findings.h"
#include "analysis/ThreadDependence.h"

#include <llvm/ADT/DenseSet.h>

namespace heddle::analysis {

/// Adds the branches it speaks of to `explained`.
void findReductions(const ThreadDependence& threads, llvm::Function& kernel,
                    llvm::DenseSet<const llvm::Instruction*>& explained, Findings& to);

} // namespace heddle::analysis
