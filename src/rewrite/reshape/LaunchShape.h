// SPDX-License-Identifier: Apache-2.0
//
// The grid and the block of a launch, as the host writes them.
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/launches/HostValues.h"
#include "rewrite/launches/KernelLaunches.h"

#include <array>
#include <string>
#include <vector>

namespace heddle::rewrite::reshape {

using Block = std::array<int, 3>;
constexpr int mostThreads = 1024; ///< of a block

struct LaunchShape {
  const clang::CUDAKernelCallExpr* call = nullptr;
  Range gridRange, blockRange;           ///< of the text
  const clang::Expr* gridText = nullptr; ///< as it stands there
  std::optional<HostValues::Dim3> grid;  ///< nothing: not known by axis
  Block block = {1, 1, 1};

  /// Whether the grid has one axis.
  bool isRow() const { return grid && grid->axes[1] == nullptr && grid->axes[2] == nullptr; }
};

/// Of all launches, which have blocks of one size. Refuses with: launch-by-runtime,
/// launch-in-macro, launch-shape, dynamic-shared.
Legal<std::vector<LaunchShape>> readShapes(const Source& source, const HostValues& values,
                                           const std::vector<Launch>& launches,
                                           const std::string& kernel);

int threadsOf(const Block& block);

} // namespace heddle::rewrite::reshape
