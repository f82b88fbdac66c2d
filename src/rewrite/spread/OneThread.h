// SPDX-License-Identifier: Apache-2.0
//
// A condition that one thread of each block or warp meets, as one of several that are joined by &&:
//
//   threadIdx.x == 0      tid == 0      threadIdx.x % 32 == 0      (tid & 31) == 0      !lane
//   threadIdx.y * blockDim.x + threadIdx.x == 0      blockIdx.x * blockDim.x + threadIdx.x == 0
//   threadIdx.x == 0 && threadIdx.y == 0             tid < 1      isFirst      block.thread_rank()
//   == 0
#pragma once

#include "rewrite/code/Branches.h"

#include <clang/AST/Expr.h>

#include <optional>
#include <string>

namespace heddle::rewrite::spread {

struct OneThread {
  enum class Of { Block, Warp, Grid };

  const clang::Expr* test = nullptr;   ///< the part that asks for it
  const clang::Expr* number = nullptr; ///< what is 0: the thread's number or the lane's
  Of of = Of::Block;
  bool inRows = false; ///< its number counts the rows of threads
  /// What asks for threadIdx.y == 0, too, and what is 0 there.
  const clang::Expr* rowTest = nullptr;
  const clang::Expr* row = nullptr;

  bool ofFirstRow() const { return rowTest != nullptr; }
};

/// `function`: all of its body.
std::optional<OneThread> readOneThread(const Source& source, const clang::Expr& condition,
                                       const clang::Stmt& function);

/// The one that a condition leaves out: threadIdx.x != 0, tid > 0, tx != 0 || ty != 0.
std::optional<OneThread> readAllButOne(const Source& source, const clang::Expr& condition,
                                       const clang::Stmt& function);

} // namespace heddle::rewrite::spread
