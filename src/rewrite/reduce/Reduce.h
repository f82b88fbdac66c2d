// SPDX-License-Identifier: Apache-2.0
//
// reduce: a textbook reduction of a block in shared memory becomes a call of the device library's,
// which shuffles within warps, diverges nowhere and waits once where the loop waited at every step.
//
//   for (s = 1; s < blockDim.x; s *= 2) {
//     if (t % (2 * s) == 0)
//       a[t] += a[t + s];               ==>   heddle::reduce_neighbours<256>(a);
//     __syncthreads();                        __syncthreads();
//   }
//
// Every pair of elements is joined that the loop joined, so sums of floating-point numbers stay the
// same bit for bit.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::reduce {

/// For the loop, or a branch in it.
/// Refuses with: block-size-unknown, block-size-unfit, no-reduction-idiom, array-used-behind,
/// macro-in-the-way.
Legal<std::vector<Proposal>> proposeReductions(const Source& source, const Target& target);

} // namespace heddle::rewrite::reduce
