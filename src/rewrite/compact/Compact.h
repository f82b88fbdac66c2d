// SPDX-License-Identifier: Apache-2.0
//
// compact: a guard in front of the work leaves most lanes without any. A block asks it for the
// items of several blocks, and works on those that it lets pass with all of its lanes.
//
// clang-format off
//   int i = blockIdx.x * blockDim.x + threadIdx.x;      heddle::compact_tiles<256, 16>(
//   if (i >= n || !mask[i])                                 [&](int i) { return i < n && mask[i] != 0; },
//     return;                                        ==>    [&](int i) {
//   out[i] = work(in[i]);                                     out[i] = work(in[i]);
//                                                           });
//
//   if (c) A; else B;      B is done while items are looked at: if (c) return true; B; return false;
//   for (i = global index; i < n; i += grid) { ... }      heddle::compact_items<256, 16>(n, ...)
//   other indices, rows and columns                       heddle::compact_tiles_at<16, 16, 1, 8>(
//                                                           [&](uint3 blockIdx, uint3 threadIdx) { ... }
// clang-format on
//
// The launch stays: the first 1/K of its blocks take the items of K neighbouring blocks each, the
// others end.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::compact {

/// One form for each number of tiles: "tiles of 4".
///
/// Refuses with what Refusals.h lists, and as refuseCommunication does.
Legal<std::vector<Proposal>> proposeCompaction(const Source& source, const Target& target);

} // namespace heddle::rewrite::compact
