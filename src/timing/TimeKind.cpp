// SPDX-License-Identifier: Apache-2.0
#include "timing/TimeKind.h"

#include "timing/DeviceCosts.h"
#include "timing/TraceSample.h"

#include <algorithm>

namespace heddle::timing {
namespace {

constexpr double leastTraced = 0.5;    ///< of the instructions that warps ran
constexpr double manyDoubles = 0.1;    ///< of the steps
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
    for (const std::uint32_t issues : block.work.issues)
      steps += issues;
    doubles += block.work.issues[std::size_t(profile::Unit::Fp64)];
  }
};

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
  return std::ranges::any_of(shape.blocks, &profile::BlockShape::isMachineCode);
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
  if (timing.atomicCycles > shareOfAtomics * timing.cycles)
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
