// SPDX-License-Identifier: Apache-2.0
//
//   1. How much of the sample to replay, so that a launch is timed in a fraction of a second.
//   2. Replay one multiprocessor: all its blocks, or some fillings of it and the rest in
//   proportion.
//   3. Add what was left out, in proportion.
//   4. Take the multiprocessor that is done last, and say what bounds the time.
#include "timing/Estimate.h"

#include "support/Invariant.h"
#include "timing/ContendedAtomics.h"
#include "timing/HostMemory.h"
#include "timing/MemoryShares.h"
#include "timing/SmReplay.h"
#include "timing/StreamTime.h"
#include "timing/TimeKind.h"
#include "timing/TraceSample.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace heddle::timing {
namespace {

constexpr double mostSteps = 1'600'000; ///< to replay for one launch
constexpr double codeOfTheGap = 500;    ///< instructions that launch.gapMicroseconds has in it
constexpr double busyEnough = 0.6;      ///< from here on a resource bounds the time
// How many more blocks than others a multiprocessor gets of the first ones of a grid that is too
// large for all multiprocessors at once. On an H200 2 where there is 1 for each (132 of 264 and
// more), 3 of 2, 6 or 7 of 4.4, 22 of 16.
constexpr double unevenStart = 1.35;
constexpr double likeEnough = 1.1; ///< instructions of the replay and of the machine
constexpr double farLess = 0.5;    ///< estimate
constexpr double unlimited = 1e9;  ///< bytes a cycle

/// What is replayed: the first blocks of a multiprocessor, and how much of each.
struct Part {
  std::int64_t blocks = 1;
  double ofEach = 1;
};

/// Rather fewer blocks than only the beginning of each.
Part choosePart(const profile::KernelTrace& trace, std::int64_t perSm, std::int64_t filling) {
  const auto sampled = std::int64_t(trace.blocks.size());
  const double ofOne = std::max(1.0, stepsOfABlock(trace));
  const auto affordable = std::int64_t(mostSteps / ofOne / double(filling)) - 1;
  const std::int64_t eachTwice = std::max<std::int64_t>(2, 2 * sampled / filling);
  const std::int64_t fillings = std::clamp<std::int64_t>(affordable, 2, eachTwice);
  const std::int64_t replayed = std::min(perSm, fillings * filling);
  const double steps = ofOne * double(replayed + (perSm > replayed ? filling : 0));
  return {replayed, std::min(1.0, mostSteps / steps)};
}

/// All blocks of one multiprocessor, from those that were replayed.
struct Replayed {
  ReplayResult all;   ///< of the blocks that were
  ReplayResult first; ///< of the first filling alone, where there are more blocks than that

  /// The rest takes as long as what came behind the first filling did.
  double cyclesFor(double instructions) const {
    const double rate =
        (all.cycles - first.cycles) / std::max(1.0, all.instructions - first.instructions);
    return all.cycles + (instructions - all.instructions) * rate;
  }
};

Replayed replayPart(const profile::KernelTrace& trace, const DeviceCosts& costs, std::int64_t perSm,
                    ReplaySettings settings) {
  const std::int64_t replayed = settings.blocks;
  Replayed result{replay(trace, costs, settings), {}};
  settings.timeline = nullptr;
  if (perSm > replayed) {
    settings.span = replayed;
    settings.blocks = settings.resident;
    result.first = replay(trace, costs, settings);
  }
  return result;
}

/// Cycles that an instruction of the longest warp takes in its thread block alone.
double paceOfLongestWarp(const profile::KernelTrace& trace, const DeviceCosts& costs,
                         const TraceSample& sample, ReplaySettings settings) {
  settings.blocks = settings.span = 1;
  settings.timeline = nullptr;
  settings.first = sample.longestBlock;
  return replay(trace, costs, settings).cycles / sample.longestTraced;
}

/// How much longer than another the slowest of so many multiprocessors takes, whose thread blocks
/// differ: the mean of the largest of as many normally distributed numbers. In later waves those
/// that are done early take more blocks.
double slowestOf(std::int64_t multiprocessors, double blocks, double waves, double variation) {
  if (multiprocessors < 2)
    return 1;
  const double root = std::sqrt(2 * std::log(double(multiprocessors)));
  const double largest =
      root - (std::log(root * root / 2) + std::log(4 * std::numbers::pi)) / (2 * root);
  return 1 + std::max(0.0, largest) * variation / std::sqrt(blocks * std::max(1.0, waves));
}

/// The slowest multiprocessor, or the one with the longest warp: all of that, and where all blocks
/// start at once, what it has more than the longest of the sample. A multiprocessor with more work
/// than others takes longer as far as work is what it waits for (`used`), and not its longest warp.
double cyclesOfTheLast(double cycles, double pace, double used, const profile::KernelTrace& trace,
                       const TraceSample& sample, const LaunchShape& launch, std::int64_t busy) {
  const double blocks = std::ceil(double(launch.blocks) / double(busy));
  const double waves = blocks / double(launch.residentBlocks);
  const auto longest = double(std::max(trace.longestWarp, sample.longestWarp));
  const double more = waves <= 1 && blocks > 1 ? pace * (longest - double(sample.longestWarp)) : 0;
  const double slowest = 1 + (slowestOf(busy, blocks, waves, trace.variation) - 1) * used;
  return std::max({cycles * slowest, cycles + more, pace * longest});
}

/// Cycles until the code is there that a launch runs, beyond what every launch takes.
double cyclesForCode(const profile::KernelTrace& trace, const DeviceCosts& costs) {
  std::vector<bool> isRun(trace.shape->blocks.size());
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const auto& execution : warp.executions)
        isRun[execution.block] = true;
  double instructions = 0;
  for (std::size_t i = 0; i < isRun.size(); ++i)
    if (const profile::BlockShape& block = trace.shape->blocks[i]; isRun[i])
      for (const profile::Step& step : block.steps)
        instructions += costs.issuesOf(step);
  return costs.newCode * std::max(0.0, instructions - codeOfTheGap);
}

/// How many times the instructions of the sample the launch ran.
double partsOf(const profile::KernelTrace& trace, const LaunchShape& launch,
               const TraceSample& sample) {
  const double ran = launch.instructions > 0 ? double(launch.instructions)
                                             : sample.instructions * double(launch.blocks) /
                                                   double(trace.blocks.size());
  return ran / std::max(1.0, sample.instructions);
}

/// Cycles of a launch, which may have to wait for the bus; `busy` is the share in which bytes move.
double withTheBus(double cycles, const profile::KernelTrace& trace, const machine::Device& device,
                  double freshBytes, double& busy) {
  const double overTheBus = cyclesOverTheBus(trace, device, freshBytes);
  if (overTheBus <= 0)
    return cycles;
  cycles = std::max(cycles, overTheBus) + cyclesToTheHost(device);
  busy = std::max(busy, overTheBus / cycles);
  return cycles;
}

/// How much longer than what was replayed the machine's code takes, which ptxas may have made
/// otherwise than the steps say: loops that it unrolled, paths of divisions that are seldom taken.
/// Instructions of one kind take as long as those of another; what waits for memory stays. Where it
/// executes far less, lanes meet earlier than the account says, and memory is asked less often too.
double longerThan(const ReplayResult& result, const LaunchShape& launch,
                  const profile::KernelTrace& trace, const DeviceCosts& costs,
                  ReplaySettings settings) {
  if (launch.executed == 0 || result.steps == 0)
    return 1;
  const double ratio = launch.executed * result.instructions / double(result.steps);
  if (std::abs(std::log(ratio)) < std::log(likeEnough))
    return 1;
  if (ratio < farLess)
    return ratio;
  settings.bytesPerCycle = settings.l2BytesPerCycle = unlimited;
  settings.timeline = nullptr;
  const double near = replay(trace, costs.withMemoryNear(), settings).cycles / result.cycles;
  return 1 + (ratio - 1) * std::min(1.0, near);
}

profile::Bound boundOf(double launchSeconds, double seconds, double issue, double memory) {
  if (launchSeconds > seconds / 2)
    return profile::Bound::Launch;
  if (std::max(issue, memory) < busyEnough)
    return profile::Bound::Latency;
  return issue >= memory ? profile::Bound::Issue : profile::Bound::Memory;
}

SiteShares sharesOf(const profile::KernelTrace& trace, const TraceSample& sample,
                    std::int64_t blocks, CacheContents& cache) {
  const double ofTheGrid = double(blocks) / double(trace.blocks.size());
  return sharesFromMemory(trace, sample.freshBytes * ofTheGrid, cache);
}

/// Blocks that ended at once only took their starts, and places for a moment.
struct Ended {
  double cyclesOfOne = 0; ///< of the whole device
  LaunchShape others;
  double betweenOthers = 0; ///< from the start of one to that of the next
  double cycles = 0;        ///< until all blocks have started, at least

  Ended(const profile::KernelTrace& trace, const DeviceCosts& costs, const machine::Device& device,
        const LaunchShape& launch)
      : others(launch) {
    const profile::EndedBlocks& ended = trace.ended;
    const double places = double(device.multiprocessors) * double(launch.residentBlocks);
    const auto warps = double(trace.blocks.front().warps.size());
    cyclesOfOne = std::max(costs.blockStart, (costs.turnaround + costs.warpStart * warps) / places);
    others.blocks -= ended.blocks;
    others.instructions -= std::min(others.instructions, ended.instructions);
    betweenOthers =
        costs.blockStart + cyclesOfOne * double(ended.beforeOthers) / double(others.blocks);
    cycles = costs.blockStart * double(others.blocks) + cyclesOfOne * double(ended.blocks);
  }
};

/// Of the multiprocessor with the most. Where blocks that end at once are left over, those that
/// work may all be among the first ones of the grid.
std::int64_t blocksOfTheBusiest(const Ended& ended, const LaunchShape& all,
                                const machine::Device& device, std::int64_t busy) {
  const LaunchShape& launch = ended.others;
  const std::int64_t places = std::int64_t(device.multiprocessors) * launch.residentBlocks;
  const std::int64_t even = (launch.blocks + busy - 1) / busy;
  if (launch.blocks == all.blocks || all.blocks <= places || launch.blocks >= places)
    return even;
  return std::clamp<std::int64_t>(
      std::int64_t(std::ceil(unevenStart * double(launch.blocks) / double(busy))), even,
      launch.residentBlocks);
}

/// Of one of `busy` multiprocessors.
ReplaySettings settingsOf(const DeviceCosts& costs, const Ended& ended, std::int64_t busy) {
  ReplaySettings settings;
  settings.resident = ended.others.residentBlocks;
  settings.bytesPerCycle = std::min(costs.dramBytesOfOne, costs.dramBytes / double(busy));
  settings.l2BytesPerCycle = std::min(costs.l2BytesOfOne, costs.l2Bytes / double(busy));
  settings.writeBytesPerCycle = std::min(costs.writeBytesOfOne, costs.writeBytes / double(busy));
  settings.blockInterval = ended.betweenOthers * double(busy);
  settings.timeline = ended.others.timeline;
  return settings;
}

void describe(const machine::Device& device, std::int64_t busy, const ReplayResult& result,
              const Part& part, profile::Timeline& timeline) {
  timeline.megahertz = device.multiprocessorMHz;
  timeline.multiprocessors = std::uint64_t(busy);
  timeline.cycles = std::uint64_t(result.cycles);
  timeline.part = part.ofEach;
}

} // namespace

profile::LaunchTiming estimate(const profile::KernelTrace& trace, const machine::Device& device,
                               const LaunchShape& all, CacheContents& cache) {
  profile::LaunchTiming timing;
  if (trace.blocks.empty() || all.residentBlocks < 1)
    return timing;
  const DeviceCosts costs(device);
  const Ended ended(trace, costs, device, all);
  const LaunchShape& launch = ended.others;
  HEDDLE_INVARIANT(costs.isDivided || !hasPlan(*trace.shape),
                   "plans are for devices whose machine code can be read");
  const TraceSample sample = sampleOf(trace);
  const std::int64_t busy = std::min<std::int64_t>(device.multiprocessors, launch.blocks);
  const std::int64_t perSm = blocksOfTheBusiest(ended, all, device, busy);
  ReplaySettings settings = settingsOf(costs, ended, busy);
  SiteShares shares = sharesOf(trace, sample, launch.blocks, cache);
  settings.fromDram = std::move(shares.fromDram);
  settings.afar = std::move(shares.afar);

  // Step 1
  const Part part = choosePart(trace, perSm, launch.residentBlocks);
  settings.blocks = part.blocks;
  const std::optional<profile::KernelTrace> shorter = shortened(trace, part.ofEach);
  const profile::KernelTrace& replayable = shorter ? *shorter : trace;

  // Step 2
  const Replayed replayed = replayPart(replayable, costs, perSm, settings);
  const ReplayResult& result = replayed.all;

  // Step 3: by instructions, which are known of the whole grid
  const double ofABlock = launch.instructions > 0
                              ? double(launch.instructions) / double(launch.blocks)
                              : sample.instructions / double(trace.blocks.size());
  const double longer = longerThan(result, launch, replayable, costs, settings);
  double cycles = longer * replayed.cyclesFor(ofABlock * double(perSm));

  // Step 4: the last multiprocessor
  const double pace = longer * paceOfLongestWarp(replayable, costs, sampleOf(replayable), settings);
  timing.issueBusy = result.issueBusy / std::max(1.0, result.cycles);
  timing.memoryBusy = result.memoryBusy / std::max(1.0, result.cycles);
  cycles =
      cyclesOfTheLast(cycles, pace, std::min(1.0, std::max(timing.issueBusy, timing.memoryBusy)),
                      trace, sample, launch, busy);
  if (trace.ended.blocks > 0)
    cycles = std::max(cycles, ended.cycles);
  cycles += cyclesForCode(trace, costs);
  const double parts = partsOf(trace, launch, sample);
  timing.atomicCycles = cyclesOfAtomics(trace, costs, parts);
  cycles = withTheBus(std::max(cycles, timing.atomicCycles), trace, device,
                      sample.freshBytes * parts, timing.memoryBusy);
  timing.cycles = cycles;
  timing.seconds = secondsInStream(device, cycles, device.launchOverheadMicroseconds);
  const double launchSeconds = timing.seconds - cycles / (device.multiprocessorMHz * 1e6);
  timing.bound = boundOf(launchSeconds, timing.seconds, timing.issueBusy, timing.memoryBusy);
  timing.kind = kindOf(trace, device, launch, timing);
  timing.isMachineCode = hasPlan(*trace.shape);
  timing.sampledBlocks = std::int64_t(trace.blocks.size());
  timing.spread = sample.error;
  timing.replayedSteps = result.steps;
  if (launch.timeline != nullptr)
    describe(device, busy, result, part, *launch.timeline);
  return timing;
}

void useMemory(const profile::KernelTrace& trace, std::int64_t blocks, CacheContents& cache) {
  if (!trace.blocks.empty() && trace.shape != nullptr)
    sharesOf(trace, sampleOf(trace), blocks - trace.ended.blocks, cache);
}

} // namespace heddle::timing
