// SPDX-License-Identifier: Apache-2.0
//
// refill: an item a thread, whose work is a loop that ends sooner for some than for others. A lane
// whose loop has ended takes the next item, while the others are still in theirs.
//
// clang-format off
//   int i = blockIdx.x * blockDim.x + threadIdx.x;      float x;
//   if (i >= n) return;                                 heddle::refill_tiles<256, 4, 8>(
//   float x = in[i];                                        [&](int i) {
//   while (c) {                                   ==>         if (i >= n) return heddle::flow::skip;
//     B;                                                      x = in[i];
//   }                                                         return c ? heddle::flow::proceed : heddle::flow::leave;
//   out[i] = x;                                             },
//                                                           [&](int i) { B; return c; },
//                                                           [&](int i) { out[i] = x; });
//
//   for (i = global index; i < n; i += grid) { ... }    heddle::refill_items<256, 4, 8>(n, ...)
//   other indices, rows and columns                     heddle::refill_tiles_at<16, 16, 1, 4, 8>(
//                                                           [&](uint3 blockIdx, uint3 threadIdx) { ... }
// clang-format on
//
// The launch stays: the first 1/4 of its blocks take the items of all, the others end. An item's
// statements keep their order; only the order between items changes.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::refill {

/// For the loop, or a branch that breaks out of it. Forms name the number of tiles, of lanes that
/// are refilled at once, and of turns between two votes where it is not one: "refilled<4, 8, 4>".
///
/// Refuses with what Refusals.h lists, and as refuseCommunication does.
Legal<std::vector<Proposal>> proposeRefilled(const Source& source, const Target& target);

} // namespace heddle::rewrite::refill
