// SPDX-License-Identifier: Apache-2.0
//
// split-branch: a kernel that ends in a branch becomes one kernel for each way, which has only that
// way's registers.
//
//   by partition: each thread's way is found first, and warps have threads of one way; see
//   PartitionKernel.h
//
//   by test: every thread of every kernel finds out its way, and goes it if it is the kernel's
//
//   __global__ void k(...) {             template <int Way> __global__ void k(...) {
//     const int i = ...;                   const int i = ...;
//     if (mask[i]) { A; }         ==>      if (mask[i]) { if (Way != 0) return; A; }
//     else { B; }                          else { if (Way != 1) return; B; }
//   }                                    }
//   k<<<grid, block>>>(...);             k<0><<<grid, block>>>(...);
//                                        k<1><<<grid, block>>>(...);
//
// All of way 0 runs before way 1: whether the threads let that be is for a run to show.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::split_branch {

/// The forms "by test" and "by partition", or the one of them that is legal.
///
/// Refuses with: not-in-kernel, and as cutKernel, partitionKernel,
/// checkRunsAgain, checkDecidesAlike, findLaunches, declarationsOf and gateWays do.
Legal<std::vector<Proposal>> proposeSplitBranch(const Source& source, const Target& target);

} // namespace heddle::rewrite::split_branch
