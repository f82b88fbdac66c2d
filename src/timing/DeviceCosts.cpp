// SPDX-License-Identifier: Apache-2.0
#include "timing/DeviceCosts.h"

#include "machine/DeviceCatalog.h"

#include <algorithm>
#include <numeric>

namespace heddle::timing {
namespace {

using machine::Device;
using profile::Unit;

/// Of the L2's bandwidth in memory's, where it was not measured: it is 1.9 on an H200.
constexpr double l2Advantage = 2;
/// A coalesced access of 4 bytes a lane touches this many sectors and takes one pass.
constexpr double sectorsOfAPass = 4;
/// From Volta on two pipes share the arithmetic: products and sums, of floats and of integers, and
/// everything else. On an H200 a sum and an exclusive or reach 111 lanes a cycle, a shift and an
/// exclusive or 62 (studies/throughput-classes). Where integers are multiplied by fewer lanes than
/// floats, half of the first pipe does it, and floats go on in the other half.
constexpr machine::ComputeCapability fermi{2, 0}, volta{7, 0};
/// Before Volta a branch was an instruction like others, and the hardware kept a stack of the lanes
/// that wait.
machine::ControlCycles controlOf(const machine::Device& device) {
  const double arithmetic = device.latencyCycles.arithmetic;
  if (device.limits.computeCapability < volta)
    return {.branch = arithmetic, .predicate = arithmetic};
  return device.controlCycles ? *device.controlCycles
                              : machine::referenceDevice().controlCycles.value();
}

/// What is not known of a device, is as on the one that was measured most.
double knownOf(const machine::Device& device, std::optional<double> machine::Device::* number) {
  return (device.*number ? device.*number : machine::referenceDevice().*number).value();
}

} // namespace

DeviceCosts::DeviceCosts(const machine::Device& device)
    : slot(device.schedulers / device.warpInstructionsPerCycle),
      shared(device.latencyCycles.shared), l1(device.latencyCycles.l1.value_or(0)),
      l2(device.latencyCycles.l2.value_or(0)), global(device.latencyCycles.global),
      barrier(device.latencyCycles.arithmetic),
      dramBytes(knownOf(device, &Device::readShare) * device.bandwidthGBps * 1e3 /
                device.multiprocessorMHz),
      storeCost(knownOf(device, &Device::readShare) / knownOf(device, &Device::writeShare)),
      l2Bytes(device.l2BytesPerCycle.value_or(l2Advantage * dramBytes)),
      dramBytesOfOne(knownOf(device, &Device::bytesPerCycleOfOne)),
      l2BytesOfOne(knownOf(device, &Device::l2BytesPerCycleOfOne)), schedulers(device.schedulers) {
  const bool planned = !(device.limits.computeCapability < volta);
  // What earlier GPUs take is not known.
  const auto known = [&](std::optional<double> Device::* number, double before) {
    return planned ? knownOf(device, number) : (device.*number).value_or(before);
  };
  l2Afar = device.latencyCycles.l2Afar.value_or(l2);
  crowding = known(&Device::crowding, 0);
  blockStart = known(&Device::blockStartCycles, 0);
  turnaround = known(&Device::blockTurnaroundCycles, 0);
  warpStart = known(&Device::warpStartCycles, 0);
  newCode = known(&Device::newCodeCycles, 0);
  storeTaken = known(&Device::storeTakenCycles, l2);
  const machine::StepCycles steps = planned ? stepCyclesOf(device) : machine::StepCycles{};
  isDivided = planned;
  if (planned && l2 > 0)
    setWrites(device);
  l1Access = steps.l1Access;
  l1Line = steps.l1Line;
  l1NewLine = steps.l1NewLine;
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
  set(Unit::Shuffle, lanes.loadStore, shared + steps.shuffle);
  set(Unit::Vote, lanes.int32, arithmetic + steps.vote);
  setAtomics(steps);
  constantLatency = planned ? steps.constant : shared;
  constantPass = planned ? steps.constantPass : serviceOf(Unit::LoadStore);
  constantTurn = planned ? steps.constantTurn : constantPass;
  service[std::size_t(Unit::BarrierResult)] = 0;
  latency[std::size_t(Unit::BarrierResult)] = planned ? steps.barrierResult : arithmetic;
  service[std::size_t(Unit::Control)] = 0;
  latency[std::size_t(Unit::Control)] = arithmetic;
  setMultiply24(device);
  sectorService = serviceOf(Unit::LoadStore) / sectorsOfAPass;
  setPipes(lanes);
}

/// Units with the same number share a pipe.
void DeviceCosts::setPipes(const machine::LanesPerCycle& lanes) {
  std::iota(pipe.begin(), pipe.end(), std::size_t{0});
  const auto share = [&](Unit one, Unit other) { pipe[std::size_t(one)] = std::size_t(other); };
  const bool converts = lanes.intToFloat == lanes.convert;
  share(Unit::IntToFloat, !converts ? Unit::Int32 : isDivided ? Unit::Special : Unit::Convert);
  share(Unit::IntAdd, isDivided ? Unit::Fp32 : Unit::Int32);
  share(Unit::Shuffle, Unit::LoadStore);
  share(Unit::Vote, Unit::Int32);
  share(Unit::Multiply24, isDivided ? Unit::Fp32 : Unit::Int32);
  if (!isDivided)
    return;
  if (lanes.intMultiply >= lanes.fp32)
    share(Unit::IntMultiply, Unit::Fp32);
  share(Unit::Shift, Unit::Int32);
  share(Unit::Convert, Unit::Special);
}

/// Where it was not measured: the same part of what the L2 delivers.
void DeviceCosts::setWrites(const machine::Device& device) {
  const Device& reference = machine::referenceDevice();
  writeBytes = device.l2WriteBytesPerCycle.value_or(
      l2Bytes * reference.l2WriteBytesPerCycle.value() / reference.l2BytesPerCycle.value());
  writeBytesOfOne = knownOf(device, &Device::l2WriteBytesPerCycleOfOne);
  writeBytesOfLine = knownOf(device, &Device::l2WriteBytesOfLine);
}

DeviceCosts DeviceCosts::withMemoryNear() const {
  DeviceCosts near = *this;
  near.l2 = near.l2Afar = near.global = near.l1;
  near.crowding = 0;
  near.isMemoryNear = true;
  return near;
}

void DeviceCosts::setControl(const machine::Device& device) {
  const machine::ControlCycles control = controlOf(device);
  barrierPerWarp = control.barrierPerWarp;
  branch = straightOn = control.branch;
  divergence = control.divergence;
  predicate = std::max(0.0, control.predicate - device.latencyCycles.arithmetic);
  if (device.limits.computeCapability < volta)
    return;
  const machine::StepCycles steps = stepCyclesOf(device);
  straightOn = steps.straightOn;
  farBack = steps.farBack;
  heldCode = steps.heldInstructions;
  fetchInterval = steps.fetchInterval;
  fetchTurn = steps.fetchTurn;
  mostFetching = steps.mostFetching;
  gather = steps.gather;
}

void DeviceCosts::setAtomics(const machine::StepCycles& steps) {
  sharedAtomic = steps.sharedAtomic;
  contendedAtomic = steps.contendedAtomic;
  contendedFloatPasses = steps.contendedFloatPasses;
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

double DeviceCosts::issueCycles(const profile::BlockWork& work) const {
  double cycles = 0;
  for (std::size_t unit = 0; unit < profile::unitCount; ++unit) {
    const bool marks = isDivided && unit == std::size_t(profile::Unit::Control);
    cycles += (work.issues[unit] + (marks ? work.meetings : 0)) *
              std::max(slot, schedulers * service[unit]);
  }
  return cycles;
}

} // namespace heddle::timing
