// SPDX-License-Identifier: Apache-2.0
//
// share-rows: a loop over consecutive items whose number differs by thread becomes a call of the
// device library, in which 4 to 32 lanes share each row.
//
//   float sum = 0;                                  float sum = 0;
//   for (int k = start[r]; k < start[r + 1]; ++k)   heddle::share_rows<8>(start[r], start[r + 1],
//     sum += value[k] * x[column[k]];       ==>         heddle::sum(sum), [&](int k, float& sum) {
//                                                     sum += value[k] * x[column[k]];
//                                                   });
//
//   items of 8 lanes                    5 1 1 1 9 1 0 2
//   as it is, the longest row           9 turns
//   4 lanes a row, a row a lane of them 2+1+1+1 | 3+1+0+1, together max(2,3)+max(1,1)+1+1 = 6 turns
//
// The kernel in front of the loop and behind it stays, and so does the launch. Neighbouring lanes
// read neighbouring items, so that fewer sectors of memory move as well.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::share_rows {

/// The forms "4 lanes" to "32 lanes"; where the loop was measured, those that promise most.
/// Refuses with: same-length, and as findSharedLoop does.
Legal<std::vector<Proposal>> proposeShared(const Source& source, const Target& target);

} // namespace heddle::rewrite::share_rows
