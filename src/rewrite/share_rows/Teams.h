// SPDX-License-Identifier: Apache-2.0
//
// The forms of share-rows that launch a team of lanes for each row, so that there are more threads,
// and no row waits for those of its neighbours:
//
//   const int r = blockIdx.x * blockDim.x + threadIdx.x;
//   if (r >= n) return;
//   float sum = 0;
//   for (int k = start[r]; k < start[r + 1]; ++k) sum += value[k];
//   y[r] = sum;
//   k<<<blocks, 256>>>(...);
//
//   const int r = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8;
//   if (r >= n) return;
//   float sum = 0;
//   heddle::team_rows<8>(start[r], start[r + 1], heddle::sum(sum), [&](int k, float& sum) { ... });
//   if (threadIdx.x % 8 == 0)
//     y[r] = sum;
//   k<<<8 * blocks, 256>>>(...);
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/rows/RowCall.h"

#include <span>
#include <vector>

namespace heddle::rewrite::share_rows {

/// "team of 8", for each of the sizes. `asked`: the loop at the place; others of the kernel go
/// along where they can. Refuses with no-team, and as refuseCommunication does.
Legal<std::vector<Proposal>> proposeTeams(const Source& source, const Target& target,
                                          const SharedLoop& asked, std::span<const int> sizes);

} // namespace heddle::rewrite::share_rows
