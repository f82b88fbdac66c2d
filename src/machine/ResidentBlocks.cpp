// SPDX-License-Identifier: Apache-2.0
#include "machine/ResidentBlocks.h"

#include <algorithm>

namespace heddle::machine {
namespace {

constexpr int lanes = 32;

/// The most registers of a thread, up to `most`, with which so many blocks fit; 0 if none do.
int mostThatFit(const SmLimits& limits, KernelResources kernel, int most, int blocks) {
  for (kernel.registers = most; kernel.registers > 0; --kernel.registers)
    if (computeOccupancy(limits, kernel).activeBlocks >= blocks)
      return kernel.registers;
  return 0;
}

} // namespace

KernelResources withFittingRegisters(const SmLimits& limits, KernelResources kernel) {
  kernel.registers = mostThatFit(limits, kernel, kernel.registers, 1);
  return kernel;
}

int activeBlocks(const SmLimits& limits, const KernelResources& kernel, RegisterCount count) {
  if (kernel.threads > limits.threadsPerBlock || kernel.shared > limits.sharedPerBlockOptIn)
    return 0;
  KernelResources fitting = kernel;
  fitting.registers = std::min(kernel.registers, limits.registersPerThread);
  if (count == RegisterCount::Guess)
    fitting = withFittingRegisters(limits, fitting);
  return computeOccupancy(limits, fitting).activeBlocks;
}

std::int64_t residentBlocks(const Device& device, const KernelResources& kernel,
                            RegisterCount count) {
  return std::int64_t{device.multiprocessors} * activeBlocks(device.limits, kernel, count);
}

int freeRegisters(const SmLimits& limits) {
  int most = limits.registers / (limits.warps * lanes);
  if (limits.registerRule != RegisterRule::PerBlock) // a warp's share comes in whole units
    most = most * lanes / limits.registerUnit * limits.registerUnit / lanes;
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
