// SPDX-License-Identifier: Apache-2.0
//
// The textbook's reductions of a block in shared memory, recognised in their usual spellings:
//
//   neighbours first                          halves first
//   for (s = 1; s < blockDim.x; s *= 2) {     for (s = blockDim.x / 2; s > 0; s >>= 1) {
//     if (t % (2 * s) == 0)                     if (t < s)
//       a[t] += a[t + s];                         a[t] += a[t + s];
//     __syncthreads();                          __syncthreads();
//   }                                         }
//
// The first also with `i = 2 * s * t; if (i < blockDim.x) a[i] += a[i + s];`, both with the barrier
// in front and with `t + s < blockDim.x` asked beside.
#pragma once

#include "rewrite/code/Branches.h"

#include <clang/AST/Expr.h>

#include <optional>
#include <string>

namespace heddle::rewrite::reduce {

struct ReductionLoop {
  const clang::VarDecl* array = nullptr;
  bool halvesFirst = false;
  bool barrierFirst = false; ///< of a step; else behind it
  std::string operation;     ///< "+", or a function's name
  bool isFunction = false;
};

/// Nothing where the loop is none. `block`: threads of a block, one-dimensional.
std::optional<ReductionLoop> readReduction(const Source& source, const clang::Stmt& function,
                                           const clang::ForStmt& loop, int block);

} // namespace heddle::rewrite::reduce
