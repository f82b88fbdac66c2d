// SPDX-License-Identifier: Apache-2.0
//
// What __launch_bounds__, __maxnreg__ and __cluster_dims__ say of a kernel.
#pragma once

#include <llvm/IR/Function.h>

#include <array>

namespace heddle::analysis {

/// 0 where nothing is said.
struct LaunchBounds {
  int threads = 0;                 ///< of a block, at most
  int blocks = 0;                  ///< on a multiprocessor, at least
  int registers = 0;               ///< of a thread, at most
  std::array<int, 3> cluster = {}; ///< blocks of one, by __cluster_dims__
};

LaunchBounds launchBoundsOf(const llvm::Function& kernel);

} // namespace heddle::analysis
