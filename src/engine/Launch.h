// SPDX-License-Identifier: Apache-2.0
//
// Runs a grid: blocks on all cores, the warps of a block in turn from barrier to barrier.
#pragma once

#include "engine/AddressMap.h"
#include "engine/CompiledKernel.h"
#include "profile/LaunchProfile.h"
#include "support/Error.h"

#include <array>
#include <cstddef>
#include <vector>

namespace heddle::engine {

struct LaunchRequest {
  std::array<int, 3> grid = {1, 1, 1};
  std::array<int, 3> block = {1, 1, 1};
  std::size_t dynamicShared = 0;
  std::vector<std::byte> arguments; ///< laid out as CompiledKernel says
};

/// Refuses impossible sizes. An access outside `memory`, the program's variables and the block's
/// own memory stops the launch with the place in the source.
Expected<profile::LaunchProfile> launch(const CompiledKernel& kernel, const LaunchRequest& request,
                                        const AddressMap& memory);

} // namespace heddle::engine
