// SPDX-License-Identifier: Apache-2.0
//
// The grid and the block of a launch, as the host writes them.
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/launches/GridText.h"
#include "rewrite/launches/KernelLaunches.h"

#include <array>
#include <string>
#include <vector>

namespace heddle::rewrite::reshape {

using Block = std::array<int, 3>;
constexpr int mostThreads = 1024; ///< of a block

struct LaunchShape : WrittenGrid {
  const clang::CUDAKernelCallExpr* call = nullptr;
  Range blockRange; ///< of the text
  Block block = {1, 1, 1};
};

/// Of all launches, which have blocks of one size. Refuses with: launch-by-runtime,
/// launch-in-macro, launch-shape, dynamic-shared.
Legal<std::vector<LaunchShape>> readShapes(const Source& source, const HostValues& values,
                                           const std::vector<Launch>& launches,
                                           const std::string& kernel);

int threadsOf(const Block& block);

} // namespace heddle::rewrite::reshape
