// SPDX-License-Identifier: Apache-2.0
//
// spread: a loop that one thread runs alone is run by the lanes of its warp together.
//
//   if (threadIdx.x == 0) {                 if (threadIdx.x < 32) {
//     float sum = 0;                          float sum = 0;
//     for (int k = 0; k < n; ++k)             heddle::spread(0, n, heddle::sum(sum),
//       sum += part[k];                 ==>       [&](int k, float& sum) {
//     *out = sum;                               sum += part[k];
//   }                                         });
//                                             if (threadIdx.x == 0)
//                                               *out = sum;
//                                           }
//
// Variables in front of the loop are computed by all lanes; what stands behind it, by the one
// thread as before. Where that thread does not come, the others do nothing. Lanes wait for each
// other in front of the loop and behind it, so that the order between threads stays, stores or not.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::spread {

/// For the branch that lets the thread in, or a loop in it.
/// Refuses with: its table.
Legal<std::vector<Proposal>> proposeSpread(const Source& source, const Target& target);

} // namespace heddle::rewrite::spread
