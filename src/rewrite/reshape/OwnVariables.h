// SPDX-License-Identifier: Apache-2.0
//
// Variables of the host that say nothing but the shape of a kernel's launches:
//
//   dim3 block(5, 5);
//   dim3 grid((n + block.x - 1) / block.x, ...);
//   k<<<grid, block>>>(...);
//
// They can be set to something else where they are declared.
#pragma once

#include "rewrite/reshape/LaunchShape.h"

namespace heddle::rewrite::reshape {

struct OwnVariables {
  const clang::VarDecl* grid = nullptr; ///< or nullptr: it is none, or somebody else uses it
  const clang::VarDecl* block = nullptr;
};

/// Of one of the launches.
OwnVariables findOwnVariables(const Source& source, const HostValues& values,
                              const std::vector<LaunchShape>& shapes, const LaunchShape& shape);

} // namespace heddle::rewrite::reshape
