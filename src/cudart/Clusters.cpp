// SPDX-License-Identifier: Apache-2.0
#include "cudart/Clusters.h"

#include "cudart/CallPlace.h"
#include "cudart/LaunchLimits.h"

#include <fmt/format.h>

#include <cstdio>

namespace heddle::cudart {
namespace {

constexpr machine::ComputeCapability firstWithClusters = {9, 0};

void sayUnsupported(const Runtime& runtime) {
  const machine::ComputeCapability version = runtime.settings.device.limits.computeCapability;
  fmt::print(stderr,
             "heddle: error: {}clusters of blocks need compute capability 9.0; {} has {}.{}\n",
             callersPlace(), runtime.settings.device.name, version.major, version.minor);
}

} // namespace

std::array<int, 3> ClusterWish::cluster() const {
  if (ofLaunch)
    return {int(ofLaunch->x), int(ofLaunch->y), int(ofLaunch->z)};
  return ofKernel;
}

bool hasClusters(const machine::SmLimits& limits) {
  return !(limits.computeCapability < firstWithClusters);
}

cudaError_t checkClusters(const machine::SmLimits& limits, const ClusterWish& wish,
                          const std::array<int, 3>& grid) {
  const std::array<int, 3> cluster = wish.cluster();
  if (wish.ofKernel[0] > 0 && cluster != wish.ofKernel)
    return cudaErrorInvalidClusterSize;
  const int most = wish.allowsLarge ? mostClusterBlocks : mostPortableBlocks;
  std::int64_t blocks = 1;
  for (const int width : cluster)
    blocks = width < 1 || blocks > most ? mostClusterBlocks + 1 : blocks * width;
  if (blocks > most)
    return cudaErrorInvalidClusterSize;
  if (blocks > 1 && !hasClusters(limits))
    return cudaErrorNotSupported;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (grid[axis] % cluster[axis] != 0)
      return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

cudaError_t setClusters(const Runtime& runtime, GridLaunch& launch) {
  const ClusterWish wish = {.ofKernel = launch.kernel.entry->limits->cluster,
                            .ofLaunch = launch.cluster,
                            .allowsLarge = launch.kernel.entry->allowsLargeClusters};
  if (!wish.asks())
    return cudaSuccess;
  engine::LaunchRequest& request = launch.request;
  request.asksForClusters = true;
  const cudaError_t status = checkClusters(runtime.settings.device.limits, wish, request.grid);
  if (status == cudaErrorNotSupported)
    sayUnsupported(runtime);
  if (status == cudaSuccess)
    request.cluster = wish.cluster();
  return status;
}

} // namespace heddle::cudart
