// SPDX-License-Identifier: Apache-2.0
#include "cudart/LaunchLimits.h"

#include <algorithm>

namespace heddle::cudart {
namespace {

bool fits(dim3 size, const std::array<std::int64_t, 3>& most) {
  const std::array<std::int64_t, 3> sizes = {size.x, size.y, size.z};
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 1 || sizes[i] > most[i])
      return false;
  return true;
}

} // namespace

std::array<std::int64_t, 3> largestGrid(const machine::SmLimits& limits) {
  if (limits.computeCapability.major >= 3)
    return {2147483647, 65535, 65535};
  if (limits.computeCapability.major == 2)
    return {65535, 65535, 65535};
  return {65535, 65535, 1};
}

std::array<std::int64_t, 3> largestBlock(const machine::SmLimits& limits) {
  return {limits.threadsPerBlock, limits.threadsPerBlock, 64};
}

bool isValidConfiguration(const machine::SmLimits& limits, dim3 grid, dim3 block) {
  if (!fits(grid, largestGrid(limits)) || !fits(block, largestBlock(limits)))
    return false;
  return std::int64_t(block.x) * block.y * block.z <= limits.threadsPerBlock;
}

std::int64_t sharedAllowed(const machine::SmLimits& limits, std::int64_t staticShared,
                           std::int64_t mostDynamicShared) {
  return std::max<std::int64_t>(limits.sharedPerBlock, staticShared + mostDynamicShared);
}

} // namespace heddle::cudart
