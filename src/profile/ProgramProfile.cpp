// SPDX-License-Identifier: Apache-2.0
#include "profile/ProgramProfile.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace heddle::profile {

bool ProgramProfile::knowsSwitchedOff() const {
  return std::ranges::any_of(
      kernels, [](const KernelProfile& kernel) { return kernel.switchedOff.has_value(); });
}

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
                        .estimatedSeconds = launch.timing ? launch.timing->seconds : 0,
                        .firstTouch = launch.firstTouch});
}

void ProgramProfile::keepTimeline(KernelTimeline launch) {
  const auto known = std::ranges::find(timelines, launch.kernel, &KernelTimeline::kernel);
  if (known == timelines.end())
    timelines.push_back(std::move(launch));
  else if (launch.seconds > known->seconds)
    *known = std::move(launch);
}

} // namespace heddle::profile
