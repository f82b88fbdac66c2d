// SPDX-License-Identifier: Apache-2.0
//
// What the modelled GPU lets a launch ask for, and how many of its blocks run at once.
#pragma once

#include "cudart/CudaTypes.h"
#include "machine/Device.h"

#include <array>
#include <cstdint>

namespace heddle::cudart {

/// Registers of a thread are not known, as no machine code of a GPU is made. Where 32 for each
/// thread of a block exceed the multiprocessor, we take what fits, as the compiler would.
inline constexpr int assumedRegisters = 32;

std::array<std::int64_t, 3> largestGrid(const machine::SmLimits& limits);
std::array<std::int64_t, 3> largestBlock(const machine::SmLimits& limits);

/// Whether no dimension is zero or too large.
bool isValidConfiguration(const machine::SmLimits& limits, dim3 grid, dim3 block);

/// Shared memory a block may have, static and dynamic together. `mostDynamicShared` is what the
/// kernel opted in to, 0 if it did not.
std::int64_t sharedAllowed(const machine::SmLimits& limits, std::int64_t staticShared,
                           std::int64_t mostDynamicShared);

/// 0 for a block that cannot be launched.
int activeBlocks(const machine::SmLimits& limits, int threads, std::int64_t shared);

} // namespace heddle::cudart
