// SPDX-License-Identifier: Apache-2.0
#include "timing/DeviceCosts.h"

#include <algorithm>

namespace heddle::timing {
namespace {

using profile::Unit;

/// Of the peak, what streams of whole lines reach: 4.66 of 4.8 TB/s for reads on an H200, 4.26 for
/// copies.
constexpr double reachableBandwidth = 0.95;
/// A coalesced access of 4 bytes a lane touches this many sectors and takes one pass.
constexpr double sectorsOfAPass = 4;
/// From Volta on lanes have their own program counters, and a branch waits for more than its
/// condition: on an H200 a path of four turns of eight multiply-adds takes 322 cycles
/// (studies/branch-number), which is 20 to 30 a branch.
constexpr machine::ComputeCapability volta{7, 0};
constexpr double voltaBranchLatency = 20;

} // namespace

DeviceCosts::DeviceCosts(const machine::Device& device)
    : slot(device.schedulers / device.warpInstructionsPerCycle),
      shared(device.latencyCycles.shared), l1(device.latencyCycles.l1.value_or(0)),
      l2(device.latencyCycles.l2.value_or(0)), global(device.latencyCycles.global),
      barrier(device.latencyCycles.arithmetic),
      dramBytes(reachableBandwidth * device.bandwidthGBps * 1e3 / device.multiprocessorMHz),
      schedulers(device.schedulers) {
  branch = device.limits.computeCapability < volta ? device.latencyCycles.arithmetic
                                                   : voltaBranchLatency;
  const machine::LanesPerCycle& lanes = device.lanesPerCycle;
  const auto set = [&](Unit unit, double perCycle, double cycles) {
    // A device without the unit (double precision before 1.3) takes eight instructions of fp32.
    service[std::size_t(unit)] = perCycle > 0 ? warpLanes / perCycle : 8 * warpLanes / lanes.fp32;
    latency[std::size_t(unit)] = cycles;
  };
  const double arithmetic = device.latencyCycles.arithmetic;
  set(Unit::Fp32, lanes.fp32, arithmetic);
  set(Unit::Fp64, lanes.fp64, 2 * arithmetic);
  set(Unit::Int32, lanes.int32, arithmetic);
  set(Unit::IntMultiply, lanes.intMultiply, arithmetic);
  set(Unit::Shift, lanes.shift, arithmetic);
  set(Unit::Special, lanes.special, device.latencyCycles.special);
  set(Unit::Convert, lanes.convert, std::max(arithmetic, device.latencyCycles.special / 2));
  set(Unit::LoadStore, lanes.loadStore, shared);
  service[std::size_t(Unit::Control)] = 0;
  latency[std::size_t(Unit::Control)] = arithmetic;
  sectorService = serviceOf(Unit::LoadStore) / sectorsOfAPass;
}

double DeviceCosts::issueCycles(const profile::Step& step) const {
  return step.issues * std::max(slot, schedulers * serviceOf(step.unit));
}

} // namespace heddle::timing
