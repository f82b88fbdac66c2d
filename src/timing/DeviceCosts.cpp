// SPDX-License-Identifier: Apache-2.0
#include "timing/DeviceCosts.h"

#include <algorithm>
#include <numeric>

namespace heddle::timing {
namespace {

using profile::Unit;

/// Of the peak, what streams of whole lines reach: 4.66 of 4.8 TB/s for reads on an H200, 4.26 for
/// copies, which leaves 0.82 of the peak to writes.
constexpr double reachableByReads = 0.97;
constexpr double reachableByWrites = 0.82;
/// Of the L2's bandwidth in memory's, where it was not measured: it is 1.9 on an H200.
constexpr double l2Advantage = 2;
/// A coalesced access of 4 bytes a lane touches this many sectors and takes one pass.
constexpr double sectorsOfAPass = 4;
/// From Volta on two pipes share the arithmetic: products and sums, of floats and of integers, and
/// everything else. On an H200 a sum and an exclusive or reach 111 lanes a cycle, a shift and an
/// exclusive or 62 (studies/throughput-classes).
///
/// The compiler plans latencies into the code: for sm_90 it lets 13 cycles pass from a
/// comparison to the branch or the vote that needs it, against 4 to an instruction that selects by
/// it. On an H200 a turn of a loop of one multiply-add takes 29.8 cycles
/// (studies/novak-verification): 6 for the counter, 13 for its comparison, which leaves 10.8 to the
/// branch.
constexpr machine::ComputeCapability volta{7, 0};
constexpr double voltaBranchLatency = 10;
constexpr double voltaPredicateLatency = 13;
/// Where they were not measured: as on an H200. What earlier GPUs take is not known.
constexpr double voltaBlockStart = 1.23;
constexpr double voltaBlockTurnaround = 340;
/// On an H200 loops with two loads in flight a thread reach 3.6 TB/s, with four 4.4
/// (studies/loop-splitting).
constexpr double voltaCrowding = 0.2;

} // namespace

DeviceCosts::DeviceCosts(const machine::Device& device)
    : slot(device.schedulers / device.warpInstructionsPerCycle),
      shared(device.latencyCycles.shared), l1(device.latencyCycles.l1.value_or(0)),
      l2(device.latencyCycles.l2.value_or(0)), global(device.latencyCycles.global),
      barrier(device.latencyCycles.arithmetic),
      dramBytes(reachableByReads * device.bandwidthGBps * 1e3 / device.multiprocessorMHz),
      storeCost(reachableByReads / reachableByWrites),
      l2Bytes(device.l2BytesPerCycle.value_or(l2Advantage * dramBytes)),
      schedulers(device.schedulers) {
  const bool planned = !(device.limits.computeCapability < volta);
  branch = planned ? voltaBranchLatency : device.latencyCycles.arithmetic;
  predicate = planned ? voltaPredicateLatency - device.latencyCycles.arithmetic : 0;
  crowding = planned ? voltaCrowding : 0;
  blockStart = device.blockStartCycles.value_or(planned ? voltaBlockStart : 0);
  turnaround = device.blockTurnaroundCycles.value_or(planned ? voltaBlockTurnaround : 0);
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
  set(Unit::IntAdd, planned ? lanes.fp32 : lanes.int32, arithmetic);
  set(Unit::IntMultiply, lanes.intMultiply, arithmetic);
  set(Unit::Shift, lanes.shift, arithmetic);
  set(Unit::Special, lanes.special, device.latencyCycles.special);
  set(Unit::Convert, lanes.convert, std::max(arithmetic, device.latencyCycles.special / 2));
  set(Unit::LoadStore, lanes.loadStore, shared);
  service[std::size_t(Unit::Control)] = 0;
  latency[std::size_t(Unit::Control)] = arithmetic;
  sectorService = serviceOf(Unit::LoadStore) / sectorsOfAPass;
  std::iota(pipe.begin(), pipe.end(), std::size_t{0});
  const auto share = [&](Unit one, Unit other) { pipe[std::size_t(one)] = std::size_t(other); };
  share(Unit::IntAdd, planned ? Unit::Fp32 : Unit::Int32);
  if (!planned)
    return;
  share(Unit::IntMultiply, Unit::Fp32);
  share(Unit::Shift, Unit::Int32);
}

double DeviceCosts::issueCycles(const profile::Step& step) const {
  return step.issues * std::max(slot, schedulers * serviceOf(step.unit));
}

} // namespace heddle::timing
