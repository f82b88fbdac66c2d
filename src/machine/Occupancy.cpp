// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. warps of a block, and how many blocks fit by warps and by block slots
//   2. registers, allocated per block (1.x) or per warp within partitions (2.0 on)
//   3. shared memory, within the size the multiprocessor sets aside for it
//   4. barriers (9.0 on)
//   5. the smallest limit wins
#include "machine/Occupancy.h"

#include "support/LaneMask.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace heddle::machine {
namespace {

constexpr int divideUp(int value, int unit) {
  return (value + unit - 1) / unit;
}
constexpr int roundUp(int value, int unit) {
  return divideUp(value, unit) * unit;
}

/// Compute capability 2.x allocates twice the unit for these counts of registers per thread.
int registerUnit(const SmLimits& limits, int registers) {
  constexpr std::array<int, 8> doubled = {21, 22, 29, 30, 37, 38, 45, 46};
  const bool isDoubled = limits.registerRule == RegisterRule::PerWarpFermi &&
                         std::ranges::find(doubled, registers) != doubled.end();
  return isDoubled ? 2 * limits.registerUnit : limits.registerUnit;
}

struct RegisterUse {
  int perBlock;
  int blocks;
};

/// Blocks that fit when registers are given to warps, each partition of the file holding whole
/// warps.
int blocksByWarpRegisters(const SmLimits& limits, int partitions, int perWarp, int warps) {
  // The hardware checks the per-block limit as if every partition held equally many warps.
  if (perWarp * roundUp(warps, partitions) > limits.registersPerBlock)
    return 0;
  const int warpsPerPartition = limits.registers / partitions / perWarp;
  return warpsPerPartition * partitions / warps;
}

RegisterUse registerUse(const SmLimits& limits, int registers, int warps) {
  if (registers == 0)
    return {0, unlimited};
  const int unit = registerUnit(limits, registers);
  if (limits.registerRule == RegisterRule::PerBlock) {
    const int perBlock = roundUp(roundUp(warps, 2) * warpSize * registers, unit);
    return {perBlock, registers > limits.registersPerThread ? 0 : limits.registers / perBlock};
  }
  const int perWarp = roundUp(warpSize * registers, unit);
  const RegisterUse tooMany{perWarp * warps, 0};
  if (registers > limits.registersPerThread)
    return tooMany;
  // A kernel must fit every member of the Pascal family, whose others have four partitions.
  const bool mustFitFour = limits.computeCapability == ComputeCapability{6, 0};
  if (mustFitFour && blocksByWarpRegisters(limits, 4, perWarp, warps) == 0)
    return tooMany;
  return {perWarp * warps, blocksByWarpRegisters(limits, limits.partitions, perWarp, warps)};
}

/// The smallest size of shared memory that holds `bytes`; the largest where none does.
int sizeThatHolds(const SmLimits& limits, int bytes) {
  for (const int size : limits.sharedSizes())
    if (size >= bytes)
      return size;
  return limits.sharedPerSm();
}

/// From 7.0 on the preference is a percentage of the largest size, rounded up to a size there is.
int preferredSharedUnified(const SmLimits& limits, const KernelResources& kernel) {
  int percent = 100;
  if (kernel.carveoutPercent)
    percent = *kernel.carveoutPercent;
  else if (kernel.cache == CachePreference::PreferL1)
    percent = 0;
  else if (kernel.cache == CachePreference::PreferEqual)
    percent = 50;
  return sizeThatHolds(limits, percent * limits.sharedPerSm() / 100);
}

int preferredShared(const SmLimits& limits, const KernelResources& kernel) {
  if (limits.computeCapability.major >= 7)
    return preferredSharedUnified(limits, kernel);
  const auto sizes = limits.sharedSizes();
  if (kernel.cache == CachePreference::PreferL1)
    return sizes.front();
  if (kernel.cache == CachePreference::PreferEqual)
    return sizes[sizes.size() / 2]; // 2.x knows no equal split and takes the larger one
  return sizes.back();
}

/// What the multiprocessor sets aside for shared memory: the preference, unless one block needs
/// more.
int sharedSetAside(const SmLimits& limits, const KernelResources& kernel, int perBlock) {
  const int preferred = preferredShared(limits, kernel);
  if (preferred >= perBlock)
    return preferred;
  return limits.computeCapability.major >= 7 ? sizeThatHolds(limits, perBlock)
                                             : limits.sharedPerSm();
}

int blocksByShared(const SmLimits& limits, const KernelResources& kernel, int perBlock, int perSm) {
  const int most = kernel.optIn ? limits.sharedPerBlockOptIn : limits.sharedPerBlock;
  if (perBlock > most + limits.sharedReserved)
    return 0;
  return perBlock == 0 ? unlimited : perSm / perBlock;
}

} // namespace

std::string_view limiterName(Limiter limiter) {
  switch (limiter) {
  case Limiter::Warps:
    return "warps";
  case Limiter::Blocks:
    return "blocks";
  case Limiter::Registers:
    return "registers";
  case Limiter::Shared:
    return "shared";
  case Limiter::Barriers:
    return "barriers";
  }
  return "";
}

std::vector<Limiter> Occupancy::limiters() const {
  std::vector<Limiter> found;
  for (const Limiter limiter : allLimiters)
    if (limitBy(limiter) == activeBlocks)
      found.push_back(limiter);
  return found;
}

Limiter Occupancy::limiter() const {
  const std::vector<Limiter> found = limiters();
  assert(!found.empty() && "the smallest limit is always attained");
  // Full occupancy is limited by the warps there are, whatever else is used up as well.
  if (occupancy == 1.0)
    return Limiter::Warps;
  for (const Limiter first : {Limiter::Registers, Limiter::Shared, Limiter::Barriers})
    if (std::ranges::find(found, first) != found.end())
      return first;
  return found.front();
}

Expected<void> validateResources(const SmLimits& limits, const KernelResources& kernel) {
  const std::string cc = limits.computeCapability.text();
  if (kernel.threads < 1 || kernel.threads > limits.threadsPerBlock)
    return fail(ErrorKind::BadInput, "{} threads per block: compute capability {} allows 1 to {}",
                kernel.threads, cc, limits.threadsPerBlock);
  if (kernel.registers < 0 || kernel.registers > limits.registersPerThread)
    return fail(
        ErrorKind::BadInput,
        "{} registers per thread: compute capability {} allows 0 to {}; a kernel that needs "
        "more spills the rest to local memory",
        kernel.registers, cc, limits.registersPerThread);
  const int most = kernel.optIn ? limits.sharedPerBlockOptIn : limits.sharedPerBlock;
  if (kernel.shared < 0 || kernel.shared > most)
    return fail(ErrorKind::BadInput,
                "{} bytes of shared memory per block: compute capability {} allows 0 to {}{}",
                kernel.shared, cc, most,
                kernel.optIn || most == limits.sharedPerBlockOptIn ? "" : " without opting in");
  if (kernel.barriers < 0 || kernel.barriers > 16)
    return fail(ErrorKind::BadInput, "{} barriers per block: every GPU allows 0 to 16",
                kernel.barriers);
  if (kernel.carveoutPercent && (*kernel.carveoutPercent < 0 || *kernel.carveoutPercent > 100))
    return fail(ErrorKind::BadInput, "a carve-out of {} %: expected 0 to 100",
                *kernel.carveoutPercent);
  if (kernel.carveoutPercent && limits.computeCapability.major < 7)
    return fail(ErrorKind::BadInput,
                "a carve-out: compute capability {} has none (from 7.0 on); use --cache", cc);
  return {};
}

Occupancy computeOccupancy(const SmLimits& limits, const KernelResources& kernel) {
  assert(kernel.threads >= 1 && "a block has at least one thread");
  Occupancy result;
  // Step 1: warps and block slots
  result.warpsPerBlock = divideUp(kernel.threads, warpSize);
  const bool tooManyThreads = kernel.threads > limits.threadsPerBlock;
  result.blockLimit[int(Limiter::Warps)] = tooManyThreads ? 0 : limits.warps / result.warpsPerBlock;
  result.blockLimit[int(Limiter::Blocks)] = limits.blocks;

  // Step 2: registers
  const RegisterUse registers = registerUse(limits, kernel.registers, result.warpsPerBlock);
  result.registersPerBlock = registers.perBlock;
  result.blockLimit[int(Limiter::Registers)] = registers.blocks;

  // Step 3: shared memory
  result.sharedPerBlock = roundUp(kernel.shared + limits.sharedReserved, limits.sharedUnit);
  result.sharedPerSm = sharedSetAside(limits, kernel, result.sharedPerBlock);
  result.blockLimit[int(Limiter::Shared)] =
      blocksByShared(limits, kernel, result.sharedPerBlock, result.sharedPerSm);

  // Step 4: barriers
  const bool barriersCount = limits.barriers > 0 && kernel.barriers > 0;
  result.blockLimit[int(Limiter::Barriers)] =
      barriersCount ? limits.barriers / kernel.barriers : unlimited;

  // Step 5: the smallest limit
  result.activeBlocks = std::ranges::min(result.blockLimit);
  result.activeWarps = result.activeBlocks * result.warpsPerBlock;
  result.activeThreads = result.activeBlocks * kernel.threads;
  result.occupancy = double(result.activeWarps) / limits.warps;
  return result;
}

} // namespace heddle::machine
