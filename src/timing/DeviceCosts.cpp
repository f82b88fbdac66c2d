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
constexpr machine::ComputeCapability fermi{2, 0}, volta{7, 0};
/// Where no one has measured it: from Volta on as on an H200. Before, a branch was an instruction
/// like others, and the hardware kept a stack of the lanes that wait.
constexpr machine::ControlCycles voltaControl{
    .branch = 10, .predicate = 13, .divergence = 14, .barrierPerWarp = 2};

machine::ControlCycles controlOf(const machine::Device& device) {
  const double arithmetic = device.latencyCycles.arithmetic;
  if (device.limits.computeCapability < volta)
    return {.branch = arithmetic, .predicate = arithmetic};
  return device.controlCycles.value_or(voltaControl);
}

/// What a block's start takes where no one has measured it. What earlier GPUs take is not known.
constexpr double voltaBlockStart = 1.23;
constexpr double voltaBlockTurnaround = 272;
/// More for each warp of the block (bench/cuda/device_blocks.cu on an H200).
constexpr double voltaWarpStart = 2.4;
/// Until a block may go that has written, beyond the time for its bytes (the same program).
constexpr double voltaStoreTaken = 60;
/// On an H200 loops with two loads in flight a thread reach 3.6 TB/s, with four 4.4
/// (studies/loop-splitting).
constexpr double voltaCrowding = 0.1;

/// On an H200 (bench/cuda/device_steps.cu): a loop of at most 22 instructions without another jump
/// turns in 7 cycles more than its chain takes, a longer one or one with a jump in it in 17; eight
/// warps of a scheduler that do nothing but jump do so every 5.3 cycles; and one among four waits
/// up to 5 cycles longer than alone, and not at all where they do not run in step
/// (examples/07-rejection).
constexpr double voltaStraightOn = 2, voltaFarBack = 10, voltaHeldCode = 24;
constexpr double voltaFetchInterval = 5.25, voltaFetchTurn = 0.8;
constexpr int voltaMostFetching = 3;
/// On an H200 (bench/cuda/device_steps.cu): cycles more than a shared load, and than arithmetic.
constexpr double voltaShuffle = 7, voltaSharedAtomic = 8, voltaVote = 3;
constexpr double voltaBarrierResult = 57;
/// BRA.DIV, and WARPSYNC with it twice as much, in loops that schedule or regroup, on an H200.
constexpr double voltaGather = 13;

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
  crowding = planned ? voltaCrowding : 0;
  blockStart = device.blockStartCycles.value_or(planned ? voltaBlockStart : 0);
  turnaround = device.blockTurnaroundCycles.value_or(planned ? voltaBlockTurnaround : 0);
  warpStart = planned ? voltaWarpStart : 0;
  storeTaken = planned ? voltaStoreTaken : l2;
  isDivided = planned;
  setControl(device);
  const machine::LanesPerCycle& lanes = device.lanesPerCycle;
  const auto set = [&](Unit unit, double perCycle, double cycles) {
    // A device without the unit (double precision before 1.3) takes eight instructions of fp32.
    service[std::size_t(unit)] = perCycle > 0 ? warpSize / perCycle : 8 * warpSize / lanes.fp32;
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
  set(Unit::Convert, lanes.convert, device.latencyCycles.special);
  const bool converts = lanes.intToFloat == lanes.convert;
  set(Unit::IntToFloat, lanes.intToFloat, converts ? device.latencyCycles.special : arithmetic);
  set(Unit::LoadStore, lanes.loadStore, shared);
  set(Unit::Shuffle, lanes.loadStore, shared + (planned ? voltaShuffle : 0));
  set(Unit::Vote, lanes.int32, arithmetic + (planned ? voltaVote : 0));
  sharedAtomic = planned ? voltaSharedAtomic : 0;
  service[std::size_t(Unit::BarrierResult)] = 0;
  latency[std::size_t(Unit::BarrierResult)] = planned ? voltaBarrierResult : arithmetic;
  service[std::size_t(Unit::Control)] = 0;
  latency[std::size_t(Unit::Control)] = arithmetic;
  setMultiply24(device);
  sectorService = serviceOf(Unit::LoadStore) / sectorsOfAPass;
  std::iota(pipe.begin(), pipe.end(), std::size_t{0});
  const auto share = [&](Unit one, Unit other) { pipe[std::size_t(one)] = std::size_t(other); };
  share(Unit::IntToFloat, !converts ? Unit::Int32 : planned ? Unit::Special : Unit::Convert);
  share(Unit::IntAdd, planned ? Unit::Fp32 : Unit::Int32);
  share(Unit::Shuffle, Unit::LoadStore);
  share(Unit::Vote, Unit::Int32);
  share(Unit::Multiply24, planned ? Unit::Fp32 : Unit::Int32);
  if (!planned)
    return;
  share(Unit::IntMultiply, Unit::Fp32);
  share(Unit::Shift, Unit::Int32);
  share(Unit::Convert, Unit::Special);
}

void DeviceCosts::setControl(const machine::Device& device) {
  const machine::ControlCycles control = controlOf(device);
  barrierPerWarp = control.barrierPerWarp;
  branch = straightOn = control.branch;
  divergence = control.divergence;
  predicate = std::max(0.0, control.predicate - device.latencyCycles.arithmetic);
  if (device.limits.computeCapability < volta)
    return;
  straightOn = voltaStraightOn;
  farBack = voltaFarBack;
  heldCode = voltaHeldCode;
  fetchInterval = voltaFetchInterval;
  fetchTurn = voltaFetchTurn;
  mostFetching = voltaMostFetching;
  gather = voltaGather;
}

/// The first GPUs multiply 24 bits in one instruction. Others shift twice and multiply; from Volta
/// on the compiler spreads that over both pipes.
void DeviceCosts::setMultiply24(const machine::Device& device) {
  const auto unit = std::size_t(Unit::Multiply24);
  const double arithmetic = device.latencyCycles.arithmetic;
  service[unit] = serviceOf(Unit::Int32);
  latency[unit] = arithmetic;
  if (device.limits.computeCapability < fermi)
    return;
  latency[unit] = 3 * arithmetic;
  service[unit] = isDivided ? 3 * serviceOf(Unit::Fp32)
                            : 2 * serviceOf(Unit::Shift) + serviceOf(Unit::IntMultiply);
}

double DeviceCosts::issueCycles(const profile::Step& step) const {
  return issuesOf(step) * std::max(slot, schedulers * serviceOf(step.unit));
}

} // namespace heddle::timing
