// SPDX-License-Identifier: Apache-2.0
#include "launch/MachineSampler.h"

#include <algorithm>
#include <cmath>

namespace heddle::launch {
namespace {

/// A number of one block, by the engine and by machine code.
struct Pair {
  double engine = 0, machine = 0;
};

/// The sum over a grid of what machine code counts in some of its blocks: by how it differs from
/// the engine's number, which is known of all, or by the mean, whichever tells single blocks
/// better.
double estimate(const std::vector<Pair>& pairs, double engineSum, std::uint64_t blocks) {
  double engine = 0, machine = 0;
  for (const Pair& pair : pairs) {
    engine += pair.engine;
    machine += pair.machine;
  }
  if (pairs.size() == blocks)
    return machine;
  const double mean = machine / double(pairs.size());
  if (engine == 0)
    return mean * double(blocks);
  double byRatio = 0, byMean = 0;
  for (const Pair& pair : pairs) {
    byRatio += std::pow(pair.machine - pair.engine * machine / engine, 2);
    byMean += std::pow(pair.machine - mean, 2);
  }
  return byRatio <= byMean ? engineSum * machine / engine : mean * double(blocks);
}

/// Multiplies all parts so that they sum up to a number; the largest takes what rounding leaves.
void scaleTo(const std::vector<std::uint64_t*>& parts, std::uint64_t sum) {
  double before = 0;
  for (const std::uint64_t* part : parts)
    before += double(*part);
  std::uint64_t left = sum;
  for (std::uint64_t* part : parts) {
    *part = before == 0 ? 0 : std::min(left, std::uint64_t(double(*part) * (double(sum) / before)));
    left -= *part;
  }
  **std::ranges::max_element(parts, {}, [](const std::uint64_t* part) { return *part; }) += left;
}

/// Of the whole grid. Nothing where the engine did not run a block of the sample.
std::optional<sassrun::InstructionCounts> sumsOf(const sassrun::SampleRun& sample,
                                                 const engine::LaunchOutcome& outcome) {
  if (sample.isWhole())
    return sample.blocks().begin()->second;
  std::vector<Pair> warps, lanes, on;
  for (const auto& [block, machine] : sample.blocks()) {
    const auto engine = outcome.sampled.find(block);
    if (engine == outcome.sampled.end())
      return {};
    warps.push_back({double(engine->second.ofWarps), double(machine.executions)});
    lanes.push_back({double(engine->second.ofLanes), double(machine.lanes)});
    on.push_back({double(engine->second.ofLanes), double(machine.on)});
  }
  const profile::KernelProfile& profile = outcome.profile;
  const auto sum = [&](const std::vector<Pair>& pairs, std::uint64_t engineSum) {
    return std::uint64_t(std::llround(estimate(pairs, double(engineSum), profile.blocks)));
  };
  return sassrun::InstructionCounts{.executions = sum(warps, profile.warpInstructions),
                                    .lanes = sum(lanes, profile.threadInstructions),
                                    .on = sum(on, profile.threadInstructions)};
}

} // namespace

void calibrate(const sassrun::SampleRun& sample, engine::LaunchOutcome& outcome) {
  if (!sample.failure().empty() || sample.blocks().empty())
    return;
  profile::KernelProfile& profile = outcome.profile;
  const auto before = double(profile.warpInstructions);
  const auto sums = sumsOf(sample, outcome);
  if (!sums)
    return;
  profile.warpInstructions = sums->executions;
  profile.threadInstructions = std::min(sums->lanes, profile.slots());
  const double more = double(profile.warpInstructions) / std::max(before, 1.0);
  const std::uint64_t lost = profile.slots() - profile.threadInstructions;
  profile.lostToPartial = std::min(std::uint64_t(double(profile.lostToPartial) * more + 0.5), lost);
  std::vector<std::uint64_t*> owners = {&profile.lostToFinished};
  for (profile::BranchProfile& branch : profile.branches) {
    owners.push_back(&branch.lostSlots);
    for (std::uint64_t& instructions : branch.pathInstructions)
      instructions = std::uint64_t(double(instructions) * more + 0.5);
  }
  scaleTo(owners, lost - profile.lostToPartial);
}

} // namespace heddle::launch
