// SPDX-License-Identifier: Apache-2.0
#include "timing/TimeLaunch.h"

#include "timing/CycleAccount.h"
#include "timing/RepeatedLines.h"
#include "timing/StreamTime.h"
#include "timing/TimeInterval.h"
#include "timing/TraceSample.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::timing {
namespace {

constexpr std::uint64_t stepsBeforeReuse = 30'000'000;
constexpr std::uint64_t stepsOfAll =
    20 * stepsBeforeReuse;          ///< then all launches of a kernel are alike
constexpr double mostUnlike = 0.02; ///< of their instructions

/// What shared memory leaves of a multiprocessor's own memory, for each block that it runs.
double l1BytesOfABlock(const machine::Device& device, const machine::Residency& residency,
                       std::uint64_t blocks) {
  constexpr double neverShared = 28 * 1024; ///< 256 KB of H100 less 228, 192 of A100 less 164
  const int active = std::max(1, residency.occupancy.activeBlocks);
  const double there =
      neverShared + double(device.limits.sharedPerSm()) - double(residency.kernel.shared) * active;
  const std::uint64_t each =
      (blocks + std::uint64_t(device.multiprocessors) - 1) / std::uint64_t(device.multiprocessors);
  return there / double(std::clamp<std::uint64_t>(each, 1, std::uint64_t(active)));
}

/// Slots are counted in all warps; what a slot of each owner costs comes from those traced.
void weighBranches(const profile::KernelTrace& trace, const DeviceCosts& costs,
                   profile::KernelProfile& launch) {
  const CycleAccount account = weighInCycles(trace, costs, launch.branches.size());
  const Weight all = account.all();
  const auto weigh = [&](const Weight& weight, std::uint64_t slots) {
    return (weight.slots > 0 ? weight : all).of(double(slots));
  };
  launch.laneCycles = weigh(account.used, launch.threadInstructions) +
                      weigh(account.finished, launch.lostToFinished) +
                      weigh(account.partial, launch.lostToPartial) +
                      all.of(double(launch.lostToSequences)); // no trace tells them apart
  for (std::size_t i = 0; i < launch.branches.size(); ++i) {
    profile::BranchProfile& branch = launch.branches[i];
    branch.lostCycles = weigh(account.branches[i], branch.lostSlots);
    launch.laneCycles += branch.lostCycles;
  }
}

} // namespace

profile::LaunchTiming LaunchTimer::timingOf(const profile::KernelTrace& trace, const Key& key,
                                            LaunchShape launch) {
  timeline_.reset();
  launch.instructions -= std::min(launch.instructions, trace.polls);
  Known& known = known_[key];
  ++known.launches;
  const double ratio = double(launch.instructions) / std::max(1.0, double(known.instructions));
  const bool isAlike = std::abs(ratio - 1) < mostUnlike || replayed_ > stepsOfAll;
  if (replayed_ > stepsBeforeReuse && isAlike && known.launches > 1 &&
      !std::has_single_bit(known.launches)) {
    useMemory(trace, launch.blocks, cache_);
    profile::LaunchTiming timing = known.timing;
    timing.cycles *= ratio;
    timing.seconds = secondsInStream(device_, timing.cycles, device_.launchOverheadMicroseconds);
    return timing;
  }
  launch.timeline = keepsTimelines_ ? &timeline_.emplace() : nullptr;
  known.timing = estimate(trace, device_, launch, cache_);
  known.instructions = launch.instructions;
  replayed_ += known.timing.replayedSteps;
  return known.timing;
}

double LaunchTimer::secondsToMove(std::span<const Region> regions) {
  const DeviceCosts costs(device_);
  const double kept = cache_.keepsWrites(regions) ? 1 : 0;
  const std::vector<CacheContents::Found> found = cache_.use(regions);
  double cycles = 0;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const double there = regions[i].isRead ? found[i].there : kept;
    const double cost = regions[i].isRead ? 1 : costs.storeCost;
    cycles += regions[i].bytes * (cost * (1 - there) / costs.dramBytes + there / costs.l2Bytes);
  }
  return secondsInStream(
      device_, cycles,
      device_.copyOverheadMicroseconds.value_or(device_.launchOverheadMicroseconds));
}

/// As the model says, or as one says that is broken in the way that was asked for.
profile::LaunchTiming LaunchTimer::timingOrFaulty(const profile::KernelTrace& trace, const Key& key,
                                                  const machine::Residency& residency,
                                                  const profile::KernelProfile& launch,
                                                  double executed) {
  LaunchShape shape{.blocks = std::int64_t(launch.blocks),
                    .residentBlocks = residency.occupancy.activeBlocks,
                    .instructions = launch.warpInstructions,
                    .executed = executed};
  if (fault_ == ModelFault::FreePath && trace.shape != nullptr) {
    const FreedTrace freed = withoutSmallerSides(trace);
    shape.instructions = std::uint64_t(std::round(double(launch.warpInstructions) * freed.kept));
    return timingOf(freed.trace, key, shape);
  }
  if (fault_ == ModelFault::IgnoreOccupancy) {
    const machine::KernelResources free{.threads = residency.kernel.threads};
    shape.residentBlocks = machine::computeOccupancy(device_.limits, free).activeBlocks;
  }
  return timingOf(trace, key, shape);
}

void LaunchTimer::time(profile::KernelTrace trace, const profile::RegisterUse& registers,
                       const machine::Residency& residency, profile::KernelProfile& launch,
                       double executed) {
  keepRepresentativeBlocks(trace);
  const machine::Occupancy& occupancy = residency.occupancy;
  keepRepeatedLines(trace, l1BytesOfABlock(device_, residency, launch.blocks));
  const profile::LaunchTiming timing =
      timingOrFaulty(trace, {launch.kernel, launch.grid, launch.block, residency.kernel.shared},
                     residency, launch, executed);
  profile::KernelTiming sum;
  sum.registers = registers;
  sum.registers.registers = residency.kernel.registers;
  sum.occupancy = occupancy.occupancy;
  sum.residentBlocks = occupancy.activeBlocks;
  sum.limiter = machine::limiterName(occupancy.limiter());
  const TimeInterval interval = timeInterval(timing.kind, timing.isMachineCode);
  sum.seconds = sum.longest = timing.seconds;
  sum.low = timing.seconds * interval.low;
  sum.high = timing.seconds * interval.high;
  sum.intervalFrom = intervalDevice();
  sum.kind = timing.kind;
  sum.cycles = timing.cycles;
  sum.secondsBy[std::size_t(timing.bound)] = timing.seconds;
  sum.sampledBlocks = timing.sampledBlocks;
  sum.spread = timing.spread;
  launch.timing = sum;
  weighBranches(trace, DeviceCosts(device_), launch);
}

} // namespace heddle::timing
