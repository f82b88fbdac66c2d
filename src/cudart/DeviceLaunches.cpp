// SPDX-License-Identifier: Apache-2.0
#include "cudart/DeviceLaunches.h"

#include "cudart/Launches.h"

#include <algorithm>
#include <ranges>

namespace heddle::cudart {
namespace {

constexpr int deepestLaunch = 24; ///< as on a GPU

struct Waiting {
  engine::DeviceLaunch launch;
  int depth = 1; ///< of kernels that wait for it to end
};

bool isTail(const engine::DeviceLaunch& launch) {
  return launch.stream == engine::DeviceLaunch::tailStream;
}

/// Puts launches on the stack so that the first comes off first. A tail launch takes the place of
/// the grid that asked for it, so a chain of them may be of any length.
void push(std::vector<Waiting>& stack, std::vector<engine::DeviceLaunch> asked, int depth) {
  for (const bool tails : {true, false})
    for (engine::DeviceLaunch& launch : std::views::reverse(asked))
      if (isTail(launch) == tails)
        stack.push_back({std::move(launch), tails ? depth : depth + 1});
}

std::string shapeOf(const engine::LaunchRequest& request) {
  return fmt::format("<<<({}), ({}), {}>>>", fmt::join(request.grid, ", "),
                     fmt::join(request.block, ", "), request.dynamicShared);
}

} // namespace

void runDeviceLaunches(Runtime& runtime, const KernelEntry& parent,
                       std::vector<engine::DeviceLaunch> asked) {
  std::vector<Waiting> stack;
  push(stack, std::move(asked), 0);
  while (!stack.empty() && runtime.stickyError == cudaSuccess) {
    Waiting next = std::move(stack.back());
    stack.pop_back();
    const engine::DeviceLaunch& child = next.launch;
    const std::string name = frontend::plainKernelName(child.kernel);
    if (next.depth > deepestLaunch)
      return faultOfKernel(runtime,
                           fmt::format("{}launches '{}' {} deep: kernels launch kernels at most {} "
                                       "deep; tail launches (cudaStreamTailLaunch) do not count",
                                       child.where, name, next.depth, deepestLaunch),
                           cudaErrorLaunchMaxDepthExceeded);
    GridLaunch launch{
        .kernel = prepareKernel(runtime, Registry::instance().kernelBeside(parent, child.kernel)),
        .request = child.request,
        .residency = {},
        .byDevice = true};
    if (const cudaError_t refused = checkLaunch(runtime, launch, false); refused != cudaSuccess)
      return faultOfKernel(runtime,
                           fmt::format("{}the launch of '{}' {} is refused: {}", child.where, name,
                                       shapeOf(child.request), errorText(refused)),
                           cudaErrorLaunchFailure);
    push(stack, runGrid(runtime, launch), next.depth);
  }
}

} // namespace heddle::cudart
