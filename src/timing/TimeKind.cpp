// SPDX-License-Identifier: Apache-2.0
#include "timing/TimeKind.h"

#include "timing/DeviceCosts.h"
#include "timing/TraceSample.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::timing {
namespace {

constexpr double leastTraced = 0.5;    ///< of the instructions that warps ran
constexpr double manyDoubles = 0.1;    ///< of the steps
constexpr double cyclesOfAnAtomic = 2; ///< on a sector that others want, too
constexpr double shareOfAtomics = 0.1; ///< of the time

/// What the warps of the sample ran, as far as it was traced.
struct Traced {
  double instructions = 0, steps = 0, doubles = 0;

  explicit Traced(const profile::KernelTrace& trace) {
    for (const profile::BlockTrace& block : trace.blocks)
      for (const profile::WarpTrace& warp : block.warps)
        for (const auto& execution : warp.executions)
          add(trace.shape->blocks[execution.block]);
  }

private:
  void add(const profile::BlockShape& block) {
    instructions += block.instructions;
    for (const profile::Step& step : block.steps) {
      steps += step.issues;
      doubles += step.unit == profile::Unit::Fp64 ? step.issues : 0;
    }
  }
};

std::set<int> atomicSites(const profile::KernelShape& shape) {
  std::set<int> sites;
  for (const profile::BlockShape& block : shape.blocks)
    for (const profile::Step& step : block.steps)
      if (step.kind == profile::StepKind::Access && step.access == profile::AccessKind::Atomic &&
          step.space == profile::MemorySpace::Global)
        sites.insert(step.site);
  return sites;
}

/// Most atomics of the traced warps on one sector, if they are spread evenly over what they go to.
double atomicsOnASector(const profile::KernelTrace& trace) {
  std::map<std::uint32_t, double> sectors, atomics;
  const std::set<int> sites = atomicSites(*trace.shape);
  if (sites.empty())
    return 0;
  for (const profile::Footprint& footprint : trace.footprints)
    sectors[footprint.site] += std::max(1.0, double(footprint.size) / sectorBytes);
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const profile::Traffic& traffic : warp.traffic)
        if (sites.contains(traffic.site))
          atomics[std::uint32_t(traffic.site)] += traffic.transactions;
  double most = 0;
  for (const auto& [site, count] : atomics)
    if (const auto found = sectors.find(site); found != sectors.end())
      most = std::max(most, count / found->second);
  return most;
}

profile::TimeKind kindByBound(profile::Bound bound) {
  switch (bound) {
  case profile::Bound::Issue:
    return profile::TimeKind::Issue;
  case profile::Bound::Latency:
    return profile::TimeKind::Latency;
  case profile::Bound::Memory:
    return profile::TimeKind::Memory;
  case profile::Bound::Launch:
    break;
  }
  return profile::TimeKind::Launch;
}

} // namespace

bool hasPlan(const profile::KernelShape& shape) {
  return std::ranges::any_of(
      shape.blocks, [](const profile::BlockShape& block) { return block.planned.has_value(); });
}

profile::TimeKind kindOf(const profile::KernelTrace& trace, const machine::Device& device,
                         const LaunchShape& launch, const profile::LaunchTiming& timing) {
  using profile::TimeKind;
  if (trace.polled)
    return TimeKind::Polling;
  if (timing.bound == profile::Bound::Launch)
    return TimeKind::Launch;
  if (trace.shape->recurses)
    return TimeKind::Recursion;
  if (trace.shape->callsByPointer)
    return TimeKind::Calls;
  const Traced traced(trace);
  const double ran =
      launch.instructions > 0
          ? double(launch.instructions)
          : sampleOf(trace).instructions * double(launch.blocks) / double(trace.blocks.size());
  const double ofTheGrid = ran / std::max(1.0, traced.instructions);
  if (atomicsOnASector(trace) * ofTheGrid * cyclesOfAnAtomic > shareOfAtomics * timing.cycles)
    return TimeKind::Atomics;
  if (launch.blocks == 1)
    return TimeKind::OneBlock;
  if (traced.doubles > manyDoubles * traced.steps)
    return TimeKind::Double;
  if (traced.instructions < leastTraced * sampleOf(trace).instructions)
    return TimeKind::LongWarps;
  // A grid that leaves multiprocessors idle waits for its warps, however busy the others are.
  return launch.blocks < device.multiprocessors ? TimeKind::Latency : kindByBound(timing.bound);
}

} // namespace heddle::timing
