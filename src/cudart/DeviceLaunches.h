// SPDX-License-Identifier: Apache-2.0
//
// Kernels that kernels launch. CUDA promises of a child no more than that it runs after its launch
// and is over before its parent counts as over, so it is a legal run in which
//
//   - a child begins when the grid that launched it has ended, and
//   - children run one after the other in the order of their launches, block by block, each with
//   all
//     that it launches itself;
//   - behind them come the tail launches, in their order, again with all that they launch.
#pragma once

#include "cudart/Registry.h"
#include "cudart/Runtime.h"
#include "engine/Launch.h"

namespace heddle::cudart {

/// Runs the launches that a grid of `parent` has asked for. One that CUDA would refuse is a fault,
/// as no host code would learn of it.
void runDeviceLaunches(Runtime& runtime, const KernelEntry& parent,
                       std::vector<engine::DeviceLaunch> asked);

} // namespace heddle::cudart
