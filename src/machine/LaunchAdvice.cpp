// SPDX-License-Identifier: Apache-2.0
#include "machine/LaunchAdvice.h"

#include "support/LaneMask.h"

namespace heddle::machine {
namespace {

GridAdvice adviseGrid(std::int64_t blocks, std::int64_t multiprocessors, std::int64_t resident) {
  GridAdvice grid;
  grid.blocks = blocks;
  grid.blocksPerMultiprocessor = double(blocks) / double(multiprocessors);
  grid.everySmBusy = blocks > multiprocessors;
  grid.overlapsBarriers = blocks > 2 * multiprocessors;
  if (resident > 0) {
    const std::int64_t rest = blocks % resident;
    grid.waves = double(blocks) / double(resident);
    grid.lastWaveFilled = rest == 0 ? 1.0 : double(rest) / double(resident);
  }
  return grid;
}

} // namespace

LaunchAdvice adviseLaunch(const Device& device, const KernelResources& kernel,
                          const Occupancy& occupancy, std::optional<std::int64_t> gridBlocks) {
  LaunchAdvice advice;
  advice.multiprocessors = device.multiprocessors;
  advice.blocksForOnePerSm = device.multiprocessors;
  advice.blocksForTwoPerSm = 2 * std::int64_t{device.multiprocessors};
  advice.blocksResident = std::int64_t{device.multiprocessors} * occupancy.activeBlocks;
  const int laneSlots = occupancy.warpsPerBlock * warpSize;
  advice.idleLanes = double(laneSlots - kernel.threads) / laneSlots;
  advice.warpsToHideArithmetic = device.warpsToHideArithmetic();
  advice.occupancyToHideArithmetic = double(advice.warpsToHideArithmetic) / device.limits.warps;
  advice.arithmeticHidden = occupancy.activeWarps >= advice.warpsToHideArithmetic;
  if (gridBlocks)
    advice.grid = adviseGrid(*gridBlocks, device.multiprocessors, advice.blocksResident);
  return advice;
}

} // namespace heddle::machine
