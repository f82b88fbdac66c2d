// SPDX-License-Identifier: Apache-2.0
//
// reshape: blocks that are no whole number of warps leave lanes without a thread, and small ones
// leave a multiprocessor with few warps. Other blocks run the same threads.
//
// A kernel with a bound of its own: only the launch changes ("blocks of 256", "blocks of 32x8").
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x;     the same
//   if (i >= n) return;
//   k<<<(n + 47) / 48, 48>>>(x, n);                ==> k<<<(n + 255) / 256, 256>>>(x, n);
//
// Any other: several of its blocks become one of the launch ("packs of 8"). Threads keep their
// threadIdx and blockDim, and their neighbours in shared memory.
//
//   __global__ void k(float* x) {                      __global__ void k(float* x, unsigned blocks)
//   {
//                                                        const unsigned block =
//                                                            blockIdx.x * blockDim.y + threadIdx.y;
//                                                        if (block >= blocks)
//                                                          return;
//     __shared__ float part[20];                   ==>   __shared__ float part[8][20];
//     part[threadIdx.x] = x[blockIdx.x * 20 + ...];      part[threadIdx.y][threadIdx.x] = x[block *
//     20 + ...];
//     __syncthreads();                                   __syncthreads();
//   k<<<n, 20>>>(x);                                   k<<<(n + 7) / 8, dim3(20, 8)>>>(x, n);
//
// A barrier then waits for the other blocks, too, so all must come to it equally often.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::reshape {

/// The first way where it is legal, else the second. All sizes are those of the host's text.
/// Refuses with what Refusals.h lists, and as refuseWarpCommunication does.
Legal<std::vector<Proposal>> proposeReshape(const Source& source, const Target& target);

} // namespace heddle::rewrite::reshape
