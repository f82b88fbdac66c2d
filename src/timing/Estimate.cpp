// SPDX-License-Identifier: Apache-2.0
//
//   1. How much of the sample to replay, so that a launch is timed in a fraction of a second.
//   2. Replay one multiprocessor: all its blocks, or some fillings of it and the rest in
//   proportion.
//   3. Add what was left out, in proportion.
//   4. Take the multiprocessor that is done last, and say what bounds the time.
#include "timing/Estimate.h"

#include "timing/MemoryShares.h"
#include "timing/SmReplay.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle::timing {
namespace {

constexpr double mostSteps = 1'600'000; ///< to replay for one launch
constexpr double busyEnough = 0.6;      ///< from here on a resource bounds the time
// What one multiprocessor takes, on an H200 that is otherwise idle (bench/cuda/device_memory.cu)
constexpr double mostBytesFromMemory = 65; ///< a cycle
constexpr double mostBytesFromL2 = 120;

struct Sample {
  double instructions = 0; ///< that the sampled warps ran
  double freshBytes = 0;
  double error = 0;              ///< relative standard error of the mean block
  std::size_t longestBlock = 0;  ///< the one with the longest warp
  std::uint64_t longestWarp = 0; ///< instructions
  double longestTraced = 1;      ///< of those, in the trace
};

double tracedInstructions(const profile::KernelTrace& trace, const profile::WarpTrace& warp) {
  double sum = 0;
  for (const auto& execution : warp.executions)
    sum += trace.shape->blocks[execution.block].instructions;
  return sum;
}

Sample look(const profile::KernelTrace& trace) {
  Sample sample;
  double squares = 0;
  for (std::size_t i = 0; i < trace.blocks.size(); ++i) {
    double ran = 0;
    for (const profile::WarpTrace& warp : trace.blocks[i].warps) {
      ran += double(warp.instructions);
      if (warp.instructions > sample.longestWarp) {
        sample.longestWarp = warp.instructions;
        sample.longestBlock = i;
        sample.longestTraced = std::max(1.0, tracedInstructions(trace, warp));
      }
      for (const profile::Traffic& traffic : warp.traffic)
        sample.freshBytes += traffic.fresh * sectorBytes;
    }
    sample.instructions += ran;
    squares += ran * ran;
  }
  const auto n = double(trace.blocks.size());
  const double mean = sample.instructions / n;
  if (n > 1 && mean > 0)
    sample.error = std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1)) / mean;
  return sample;
}

double stepsOfABlock(const profile::KernelTrace& trace) {
  double steps = 0;
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const auto& execution : warp.executions)
        steps += trace.shape->blocks[execution.block].stepsOnAverage();
  return steps / double(trace.blocks.size());
}

/// Cycles that an instruction of the longest warp takes in its thread block alone.
double paceOfLongestWarp(const profile::KernelTrace& trace, const DeviceCosts& costs,
                         const Sample& sample, ReplaySettings settings) {
  settings.blocks = settings.span = 1;
  settings.first = sample.longestBlock;
  return replay(trace, costs, settings).cycles / sample.longestTraced / settings.part;
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
/// start at once, what it has more than the longest of the sample.
double cyclesOfTheLast(double cycles, double pace, const profile::KernelTrace& trace,
                       const Sample& sample, const LaunchShape& launch, std::int64_t busy) {
  const double blocks = std::ceil(double(launch.blocks) / double(busy));
  const double waves = blocks / double(launch.residentBlocks);
  const auto longest = double(std::max(trace.longestWarp, sample.longestWarp));
  const double more = waves <= 1 ? pace * (longest - double(sample.longestWarp)) : 0;
  return std::max(
      {cycles * slowestOf(busy, blocks, waves, trace.variation), cycles + more, pace * longest});
}

profile::Bound boundOf(double launchSeconds, double seconds, double issue, double memory) {
  if (launchSeconds > seconds / 2)
    return profile::Bound::Launch;
  if (std::max(issue, memory) < busyEnough)
    return profile::Bound::Latency;
  return issue >= memory ? profile::Bound::Issue : profile::Bound::Memory;
}

std::vector<double> sharesOf(const profile::KernelTrace& trace, const Sample& sample,
                             std::int64_t blocks, CacheContents& cache) {
  const double ofTheGrid = double(blocks) / double(trace.blocks.size());
  return sharesFromMemory(trace, sample.freshBytes * ofTheGrid, cache);
}

} // namespace

void keepRepresentativeBlocks(profile::KernelTrace& trace) {
  const bool cutOff = std::ranges::any_of(trace.blocks, [](const profile::BlockTrace& block) {
    return !block.deep && std::ranges::any_of(block.warps, &profile::WarpTrace::cutOff);
  });
  if (cutOff)
    std::erase_if(trace.blocks, [](const profile::BlockTrace& block) { return !block.deep; });
}

double secondsInStream(const machine::Device& device, double cycles, double overhead) {
  const double gap = device.launchGapMicroseconds.value_or(overhead);
  return std::max(overhead * 1e-6, gap * 1e-6 + cycles / (device.multiprocessorMHz * 1e6));
}

profile::LaunchTiming estimate(const profile::KernelTrace& trace, const machine::Device& device,
                               const LaunchShape& launch, CacheContents& cache) {
  profile::LaunchTiming timing;
  if (trace.blocks.empty() || launch.residentBlocks < 1)
    return timing;
  const DeviceCosts costs(device);
  const Sample sample = look(trace);
  const std::int64_t busy = std::min<std::int64_t>(device.multiprocessors, launch.blocks);
  const std::int64_t perSm = (launch.blocks + busy - 1) / busy;
  ReplaySettings settings;
  settings.resident = launch.residentBlocks;
  settings.bytesPerCycle = std::min(mostBytesFromMemory, costs.dramBytes / double(busy));
  settings.l2BytesPerCycle = std::min(mostBytesFromL2, costs.l2Bytes / double(busy));
  settings.blockInterval = costs.blockStart * double(busy);
  settings.fromDram = sharesOf(trace, sample, launch.blocks, cache);

  // Step 1: how much; rather fewer blocks than only the beginning of each
  const std::int64_t filling = launch.residentBlocks;
  const auto sampled = std::int64_t(trace.blocks.size());
  const double ofOne = std::max(1.0, stepsOfABlock(trace));
  const auto affordable = std::int64_t(mostSteps / ofOne / double(filling)) - 1;
  const std::int64_t eachTwice = std::max<std::int64_t>(2, 2 * sampled / filling);
  const std::int64_t fillings = std::clamp<std::int64_t>(affordable, 2, eachTwice);
  const std::int64_t replayed = std::min(perSm, fillings * filling);
  const double steps = ofOne * double(replayed + (perSm > replayed ? filling : 0));
  settings.part = std::min(1.0, mostSteps / steps);

  // Step 2: replay
  settings.blocks = replayed;
  const ReplayResult result = replay(trace, costs, settings);
  ReplayResult first;
  if (perSm > replayed) {
    settings.span = replayed;
    settings.blocks = filling;
    first = replay(trace, costs, settings);
  }

  // Step 3: scale by instructions, which are known of the whole grid
  const double ofABlock = launch.instructions > 0
                              ? double(launch.instructions) / double(launch.blocks)
                              : sample.instructions / double(sampled);
  const double rate =
      (result.cycles - first.cycles) / std::max(1.0, result.instructions - first.instructions);
  double cycles = result.cycles + (ofABlock * double(perSm) - result.instructions) * rate;
  // Step 4: the last multiprocessor
  const double pace = paceOfLongestWarp(trace, costs, sample, settings);
  cycles = cyclesOfTheLast(cycles, pace, trace, sample, launch, busy);
  timing.cycles = cycles;
  timing.seconds = secondsInStream(device, cycles, device.launchOverheadMicroseconds);
  const double launchSeconds = timing.seconds - cycles / (device.multiprocessorMHz * 1e6);
  timing.issueBusy = result.issueBusy / std::max(1.0, result.cycles);
  timing.memoryBusy = result.memoryBusy / std::max(1.0, result.cycles);
  timing.bound = boundOf(launchSeconds, timing.seconds, timing.issueBusy, timing.memoryBusy);
  timing.sampledBlocks = std::int64_t(trace.blocks.size());
  timing.spread = sample.error;
  timing.replayedSteps = result.steps;
  return timing;
}

void useMemory(const profile::KernelTrace& trace, std::int64_t blocks, CacheContents& cache) {
  if (!trace.blocks.empty() && trace.shape != nullptr)
    sharesOf(trace, look(trace), blocks, cache);
}

} // namespace heddle::timing
