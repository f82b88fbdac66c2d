// SPDX-License-Identifier: Apache-2.0
//
// What the modelled GPU lets a launch ask for.
#pragma once

#include "cudart/CudaTypes.h"
#include "machine/Device.h"

#include <array>
#include <cstdint>

namespace heddle::cudart {

std::array<std::int64_t, 3> largestGrid(const machine::SmLimits& limits);
std::array<std::int64_t, 3> largestBlock(const machine::SmLimits& limits);

/// Whether no dimension is zero or too large.
bool isValidConfiguration(const machine::SmLimits& limits, dim3 grid, dim3 block);

/// Shared memory a block may have, static and dynamic together. `mostDynamicShared` is what the
/// kernel opted in to, 0 if it did not.
std::int64_t sharedAllowed(const machine::SmLimits& limits, std::int64_t staticShared,
                           std::int64_t mostDynamicShared);

} // namespace heddle::cudart
