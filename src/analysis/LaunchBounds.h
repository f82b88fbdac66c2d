// SPDX-License-Identifier: Apache-2.0
//
// What __launch_bounds__ and __maxnreg__ say of a kernel.
#pragma once

#include <llvm/IR/Function.h>

namespace heddle::analysis {

/// 0 where nothing is said.
struct LaunchBounds {
  int threads = 0;   ///< of a block, at most
  int blocks = 0;    ///< on a multiprocessor, at least
  int registers = 0; ///< of a thread, at most
};

LaunchBounds launchBoundsOf(const llvm::Function& kernel);

} // namespace heddle::analysis
