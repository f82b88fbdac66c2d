// SPDX-License-Identifier: Apache-2.0
#include "machine/ResidentBlocks.h"

#include "support/LaneMask.h"

#include <algorithm>

namespace heddle::machine {
namespace {

/// The most registers of a thread, up to `most`, with which so many blocks fit; 0 if none do.
int mostThatFit(const SmLimits& limits, KernelResources kernel, int most, int blocks) {
  for (kernel.registers = most; kernel.registers > 0; --kernel.registers)
    if (computeOccupancy(limits, kernel).activeBlocks >= blocks)
      return kernel.registers;
  return 0;
}

/// The kernel as a compiler makes it that is told the size of the block: with fewer registers where
/// not a block of it would fit, with none where it does not fit whatever they are.
KernelResources withLikelyRegisters(const SmLimits& limits, KernelResources kernel,
                                    RegisterCount count) {
  kernel.registers = std::min(kernel.registers, limits.registersPerThread);
  if (count == RegisterCount::Guess)
    kernel.registers = mostThatFit(limits, kernel, kernel.registers, 1);
  return kernel;
}

} // namespace

Residency residencyOf(const Device& device, const KernelResources& kernel, RegisterCount count) {
  if (kernel.threads > device.limits.threadsPerBlock)
    return {.kernel = kernel};
  Residency residency{.kernel = withLikelyRegisters(device.limits, kernel, count)};
  residency.occupancy = computeOccupancy(device.limits, residency.kernel);
  residency.blocks = std::int64_t{device.multiprocessors} * residency.occupancy.activeBlocks;
  return residency;
}

int activeBlocks(const SmLimits& limits, const KernelResources& kernel, RegisterCount count) {
  if (kernel.threads > limits.threadsPerBlock || kernel.shared > limits.sharedPerBlockOptIn)
    return 0;
  return computeOccupancy(limits, withLikelyRegisters(limits, kernel, count)).activeBlocks;
}

int freeRegisters(const SmLimits& limits) {
  int most = limits.registers / (limits.warps * warpSize);
  if (limits.registerRule != RegisterRule::PerBlock) // a warp's share comes in whole units
    most = most * warpSize / limits.registerUnit * limits.registerUnit / warpSize;
  return std::min(most, limits.registersPerThread);
}

int mostRegisters(const SmLimits& limits, int threads, int blocks, int registers) {
  int most = limits.registersPerThread;
  if (registers > 0)
    most = std::min(most, registers);
  if (threads <= 0 || threads > limits.threadsPerBlock)
    return most;
  const KernelResources kernel{.threads = threads};
  const int fitting = mostThatFit(limits, kernel, most, std::max(blocks, 1));
  return fitting > 0 ? fitting : mostThatFit(limits, kernel, most, 1);
}

} // namespace heddle::machine
