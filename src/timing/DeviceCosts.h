// SPDX-License-Identifier: Apache-2.0
//
// What a step costs on a device, in cycles of its multiprocessor. Everything is derived from the
// numbers in devices/*.json; those that a file does not have are the H200's, which says where they
// are from.
#pragma once

#include "machine/Device.h"
#include "profile/KernelTrace.h"
#include "support/LaneMask.h"

#include <array>

namespace heddle::timing {

inline constexpr double sectorBytes = 32;

struct DeviceCosts {
  explicit DeviceCosts(const machine::Device& device);

  double slot = 1;                                    ///< an issue slot of one scheduler
  std::array<double, profile::unitCount> service{};   ///< a warp-instruction on the whole unit
  std::array<double, profile::unitCount> latency{};   ///< until a result can be used
  std::array<std::size_t, profile::unitCount> pipe{}; ///< units with the same number share it
  double sectorService = 0;                           ///< of the load/store unit, per sector
  double l1Access = 0, l1Line = 0, l1NewLine = 0; ///< of the L1, by lines; 0: not known, by sectors
  double shared = 0, l1 = 0, l2 = 0, global = 0;  ///< latencies; l1 and l2 0 where there is none
  double l2Afar = 0;               ///< of the first read after a write, on average over partitions
  double sharedAtomic = 0;         ///< more than for a load
  double contendedAtomic = 0;      ///< on a line that all others want, too
  double contendedFloatPasses = 0; ///< of those, for a sum of floats
  double constantLatency = 0, constantPass = 0; ///< of a load of constants; the unit, for each word
  double constantTurn = 0; ///< until a warp's load of constants has the next word
  double barrier = 0;
  double blockStart = 0; ///< from the start of a block of a grid to that of the next
  double turnaround = 0; ///< from the end of a block to the start of the next in its place
  double warpStart = 0;  ///< more for each warp of the next
  double newCode = 0;    ///< for each instruction that is not in the caches for code yet
  double storeTaken = 0; ///< until the L2 has taken what was written, beyond the time for its bytes
  /// At a load r of the memory a latency grows by r / (1 - r) of this share of itself.
  double crowding = 0;
  double barrierPerWarp = 0; ///< until the next warp can arrive
  double branch = 0;         ///< until a warp issues again after a jump
  double straightOn = 0;     ///< after a branch that it does not take
  double farBack = 0;        ///< more for a jump back to code that is not held any more
  double heldCode = 0;       ///< instructions since the last jump that are
  double fetchInterval = 0;  ///< between two jumps of a scheduler's warps
  double fetchTurn = 0;      ///< more for each other warp of the scheduler
  int mostFetching = 0;      ///< of those
  double divergence = 0;     ///< more where its lanes part
  double gather = 0;         ///< to look for lanes that are to be there, and to wait for them: each
  double predicate = 0;      ///< until a branch or a vote can use a comparison, beyond its latency
  double dramBytes = 0;      ///< read in a cycle, for the whole device
  double storeCost = 1;      ///< of a byte written to memory, in bytes read
  double l2Bytes = 0;        ///< in a cycle, for the whole device
  double dramBytesOfOne = 0; ///< most that one multiprocessor takes in a cycle
  double l2BytesOfOne = 0;   ///< the same, from the L2
  /// What the L2 takes of sectors that are written, each time; 0: as memory and the L2 do.
  double writeBytes = 0, writeBytesOfOne = 0;
  double writeBytesOfLine = 0; ///< as which a write to a line counts, at least
  bool isMemoryNear = false;   ///< all data is in the L1, and nothing is written but local memory
  int schedulers = 1;
  bool isDivided = false; ///< each scheduler has its part of the units, but for loads and stores

  double serviceOf(profile::Unit unit) const { return service[std::size_t(unit)]; }
  std::size_t pipeOf(profile::Unit unit) const { return pipe[std::size_t(unit)]; }
  double latencyOf(profile::Unit unit) const { return latency[std::size_t(unit)]; }

  /// Machine instructions of a step. From Volta on those that mark where sides meet are of their
  /// own.
  double issuesOf(const profile::Step& step) const {
    return step.issues + (isDivided && step.marksMeeting ? 1 : 0);
  }

  /// Cycles for which a block's work keeps one scheduler's share of the multiprocessor busy.
  double issueCycles(const profile::BlockWork& work) const;

  /// Of a device with all data in the L1.
  DeviceCosts withMemoryNear() const;

private:
  void setControl(const machine::Device& device);
  void setWrites(const machine::Device& device);
  void setPipes(const machine::LanesPerCycle& lanes);
  void setAtomics(const machine::StepCycles& steps);
  void setMultiply24(const machine::Device& device);
};

} // namespace heddle::timing
