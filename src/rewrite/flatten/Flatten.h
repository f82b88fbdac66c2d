// SPDX-License-Identifier: Apache-2.0
//
// flatten: two nested loops become one. Lanes whose inner loop has ended go on with their next
// outer iteration, while the others are still in theirs.
//
// clang-format off
//   for (row = first; row < last; ++row) {      row = first;
//     sum = 0;                                  bool inside = false;
//     for (k = begin[row]; k < end[row]; ++k)   while (inside || row < last) {
//       sum += a[k];                              if (!inside) { sum = 0; k = begin[row]; inside = k < end[row]; }
//     y[row] = sum;                       ==>     if (inside) { sum += a[k]; ++k; inside = k < end[row]; }
//   }                                             if (!inside) { y[row] = sum; ++row; }
//                                               }
//
//   inner trips of 4 lanes, row by row:   5 1 1 | 1 5 1 | 1 1 5 | 2 2 2
//   as it is, the sum of the longest:     max(5,1,1,2) + max(1,5,1,2) + max(1,1,5,2) = 15 turns
//   flattened, the longest sum:           max(7, 7, 7, 6)                            =  7 turns
// clang-format on
//
// Each condition is asked as often as before and each thread's statements keep their order; only
// the order between threads changes. A turn takes the inner loop's step and, where some lane needs
// them, what stands around the inner loop.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::flatten {

/// For the inner loop, or a branch in it that breaks out of it.
Legal<std::vector<Proposal>> proposeFlattened(const Source& source, const Target& target);

} // namespace heddle::rewrite::flatten
