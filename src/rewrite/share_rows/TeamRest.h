// SPDX-License-Identifier: Apache-2.0
//
// What a kernel does beside loops that teams run. All lanes of a team compute it, each for itself
// and to the same values; what it stores outside of its own variables only the first one stores.
//
//   const int r = blockIdx.x * blockDim.x + threadIdx.x;     by all, with the team's row
//   if (r >= n) return;                                      by all
//   float sum = 0;                                           by all
//   for (...) sum += value[k];                               a loop of the team
//   y[r] = sum;                                              by the first
#pragma once

#include "rewrite/rows/RowCall.h"

#include <vector>

namespace heddle::rewrite::share_rows {

/// Statements of one block that stand behind each other.
struct FirstLanes {
  Range range;
  int statements = 1;
  bool inBlock = true; ///< or it is an arm without braces
};

/// Refuses with no-team where a lane might miss what the first one has stored: it changes a
/// variable on the way, leaves, or somebody may read that memory; or where the address of a
/// variable is taken.
Legal<std::vector<FirstLanes>> findFirstLanes(const Source& source,
                                              const std::vector<SharedLoop>& loops);

/// CUDA's names of thread and block, in the number of the row or in a stride of the grid.
struct RowNumbers {
  std::vector<Range> threads; ///< threadIdx.x
  std::vector<Range> sizes;   ///< blockDim.x
};

/// Refuses with no-team where the kernel, or a function that it calls, knows its thread or block by
/// more than `blockIdx.x * blockDim.x + threadIdx.x` and `blockDim.x * gridDim.x`.
Legal<RowNumbers> findRowNumbers(const Source& source, const clang::Stmt& kernel);

} // namespace heddle::rewrite::share_rows
