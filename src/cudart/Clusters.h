// SPDX-License-Identifier: Apache-2.0
//
// Clusters of blocks: what a kernel and a launch ask for, and what CUDA says to it.
#pragma once

#include "cudart/Launches.h"

namespace heddle::cudart {

/// Most blocks of a cluster on every device that has them, and on one that lets a kernel have more.
inline constexpr int mostPortableBlocks = 8;
inline constexpr int mostClusterBlocks = 16;

bool hasClusters(const machine::SmLimits& limits);

/// What a kernel and one of its launches say.
struct ClusterWish {
  std::array<int, 3> ofKernel = {}; ///< zeros for nothing
  std::optional<dim3> ofLaunch;
  bool allowsLarge = false; ///< cudaFuncAttributeNonPortableClusterSizeAllowed

  bool asks() const { return ofKernel[0] > 0 || ofLaunch.has_value(); }
  std::array<int, 3> cluster() const;
};

/// CUDA's answer to it.
cudaError_t checkClusters(const machine::SmLimits& limits, const ClusterWish& wish,
                          const std::array<int, 3>& grid);

/// Gives the request the clusters that its kernel or its launch asks for.
cudaError_t setClusters(const Runtime& runtime, GridLaunch& launch);

} // namespace heddle::cudart
