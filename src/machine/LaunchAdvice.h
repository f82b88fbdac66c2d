// SPDX-License-Identifier: Apache-2.0
//
// The launch heuristics of the ME964 lecture ("Blocks per Grid Heuristics", "Register Dependency",
// "Optimizing Threads Per Block") with the numbers of a given GPU in place of the G80's.
#pragma once

#include "machine/Device.h"
#include "machine/Occupancy.h"

#include <cstdint>
#include <optional>

namespace heddle::machine {

struct GridAdvice {
  std::int64_t blocks = 0;
  double blocksPerMultiprocessor = 0;
  double waves = 0;              ///< grid / blocks resident at once
  double lastWaveFilled = 0;     ///< share of the block slots the last wave uses, 0 to 1
  bool everySmBusy = false;      ///< more blocks than multiprocessors
  bool overlapsBarriers = false; ///< more than two blocks per multiprocessor
};

struct LaunchAdvice {
  int multiprocessors = 0;
  std::int64_t blocksForOnePerSm = 0;
  std::int64_t blocksForTwoPerSm = 0;
  std::int64_t blocksResident = 0; ///< the most blocks on the GPU at once
  double idleLanes = 0;            ///< share of lanes without a thread, when threads % 32 != 0

  int warpsToHideArithmetic = 0; ///< with no independent instructions in a thread
  double occupancyToHideArithmetic = 0;
  bool arithmeticHidden = false;

  std::optional<GridAdvice> grid;
};

LaunchAdvice adviseLaunch(const Device& device, const KernelResources& kernel,
                          const Occupancy& occupancy, std::optional<std::int64_t> gridBlocks);

} // namespace heddle::machine
