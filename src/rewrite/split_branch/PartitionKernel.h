// SPDX-License-Identifier: Apache-2.0
//
// The form of split-branch that finds each thread's way first, so that a warp then has threads of
// one way:
//
//   __global__ void k(P p) {             template <int Way> struct kWay {
//     const int i = ...;                   P p;
//     if (mask[i]) { A; }         ==>      __device__ int operator()(const int i) const {
//     else { B; }                            if (mask[i]) { if (Way != 0) return 0; A; }
//   }                                        else { if (Way != 1) return 1; B; }
//                                            return 1;
//                                          }
//                                        };
//                                        cudaError_t k(dim3 grid, dim3 block, cudaStream_t stream,
//                                                      P p) {
//                                          return heddle::split_by_partition(
//                                              stream, grid.x * block.x, kWay<-1>{p}, kWay<0>{p},
//                                              kWay<1>{p});
//                                        }
//   k<<<grid, block>>>(p);               k(grid, block, nullptr, p);
//
// With Way = -1 each gate says its number: that decides.
#pragma once

#include "rewrite/launches/KernelLaunches.h"
#include "rewrite/split_branch/KernelBranch.h"

#include <vector>

namespace heddle::rewrite::split_branch {

/// Refuses with: declared-elsewhere (it is declared more than once), launch-by-runtime (its
/// arguments are not written there), not-one-index, parameter-unfit (for a member of a struct), and
/// as gateWays does.
Legal<Edits> partitionKernel(const Source& source, const clang::FunctionDecl& kernel,
                             const KernelBranch& cut, const std::vector<Launch>& launches);

} // namespace heddle::rewrite::split_branch
