// SPDX-License-Identifier: Apache-2.0
//
// align-to-warp: a branch on the thread's index that parts the lanes of each warp. The threads of
// the block are numbered anew, so that those of one way share warps.
//
//   const int i = blockIdx.x * blockDim.x + threadIdx.x;
//   if (threadIdx.x % 2 == 0) A; else B;
// ==>
//   const unsigned thread = threadIdx.x % (blockDim.x / 2) * 2 + threadIdx.x / (blockDim.x / 2);
//   const int i = blockIdx.x * blockDim.x + thread;
//   if (thread % 2 == 0) A; else B;
//
//   lanes of warps 0 and 1 of 64 threads:   0 1 2 3 ... | 32 33 ...   ==>   0 2 4 ... | 1 3 5 ...
//
// Each number is still there once, so barriers and shared memory do not notice. Neighbours in a
// warp are no longer neighbours in memory: whether it pays must be tried.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::align_to_warp {

/// Refuses with: not-on-thread-index (the branch does not take the rest of threadIdx.x by a
/// constant), not-in-kernel, block-size-unknown, block-shape, block-size, thread-index-inside (a
/// function that is called, or code that takes the whole of threadIdx), sync-op-inside and what
/// else depends on who shares a warp (refuseWarpCommunication), macro-in-the-way.
Legal<std::vector<Proposal>> proposeAlignedThreads(const Source& source, const Target& target);

} // namespace heddle::rewrite::align_to_warp
