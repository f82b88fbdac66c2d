// SPDX-License-Identifier: Apache-2.0
#include "profile/ProgramProfile.h"

#include <cassert>

namespace heddle::profile {

void ProgramProfile::add(std::size_t kernel, const KernelProfile& launch) {
  assert(kernel <= kernels.size() && "kernels are added one after the other");
  if (kernel == kernels.size())
    kernels.push_back(launch);
  else
    kernels[kernel].add(launch);
  if (launches.size() < mostLaunches)
    launches.push_back({.kernel = kernel,
                        .grid = launch.grid,
                        .block = launch.block,
                        .warpInstructions = launch.warpInstructions,
                        .threadInstructions = launch.threadInstructions,
                        .seconds = launch.seconds,
                        .estimatedSeconds = launch.timing ? launch.timing->seconds : 0});
}

} // namespace heddle::profile
