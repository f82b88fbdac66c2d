// SPDX-License-Identifier: Apache-2.0
//
// The plain record that launches of a kernel leave. A lane slot is one lane of one executed
// warp-instruction; it is used, or lost to exactly one owner. docs/design/engine.md defines what
// counts as an instruction.
#pragma once

#include "profile/LaunchTiming.h"
#include "profile/RecordedWarps.h"
#include "profile/Site.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::profile {

/// The sums of a branch, in a part of a launch or in many launches.
struct BranchCounts {
  std::uint64_t executions = 0;            ///< by warps
  std::uint64_t divergentExecutions = 0;   ///< splits of a warp; a switch may split more than once
  std::array<std::uint64_t, 2> lanes = {}; ///< that went to its first target, and elsewhere
  std::uint64_t lostSlots = 0;             ///< lane slots masked off because it split the warp
  double lostCycles = 0; ///< the same in lane-cycles of the modelled GPU, from a sample
  /// For each side, while the other one waited: how often it ran, and warp-instructions.
  std::array<std::uint64_t, 2> pathRuns = {};
  std::array<std::uint64_t, 2> pathInstructions = {};
  std::uint64_t switchedOff = 0; ///< lanes, where it became predicates; part of the kernel's

  std::uint64_t laneExecutions() const { return lanes[0] + lanes[1]; }
  BranchCounts& operator+=(const BranchCounts& other);
};

/// What one branch of the kernel did and lost. Branches at one site are one record: the compares of
/// a switch, or the copies of an unrolled loop. A call through a pointer is a branch too.
struct BranchProfile : BranchCounts {
  Site site;
  int targets = 2; ///< different places it may go to; 0 when unknown
};

/// How often the lanes went around a loop.
struct LoopCounts {
  static constexpr std::size_t buckets = 32;

  std::uint64_t lanes = 0; ///< that left the loop, each time they did
  std::uint64_t iterations = 0;
  std::uint64_t fewest = ~std::uint64_t{0};
  std::uint64_t most = 0;
  /// Lanes by trip count: bucket 0 holds 0 and 1, bucket b from 2^b to 2^(b+1) - 1.
  std::array<std::uint64_t, buckets> histogram = {};

  void leave(std::uint64_t trips, std::uint64_t leaving);
  LoopCounts& operator+=(const LoopCounts& other);
};

struct LoopProfile : LoopCounts {
  Site site;
};

/// What was executed of one line of the source.
struct LineCounts {
  std::uint64_t warpInstructions = 0;
  std::uint64_t used = 0;        ///< lane slots
  std::uint64_t switchedOff = 0; ///< of those, by a predicate

  LineCounts& operator+=(const LineCounts& other);
};

struct LineProfile : LineCounts {
  Site site;
};

enum class AccessKind { Load, Store, Atomic };
enum class MemorySpace { Global, Shared, Local };

struct AccessCounts {
  std::uint64_t executions = 0; ///< by warps
  std::uint64_t lanes = 0;
  /// Global and local: 32-byte sectors used. Shared: passes over the banks, which is the
  /// conflict degree summed over executions.
  std::uint64_t transactions = 0;
  std::uint64_t ideal = 0; ///< transactions if the same lanes touched neighbouring addresses

  AccessCounts& operator+=(const AccessCounts& other);
};

/// What one memory instruction moved.
struct MemoryProfile : AccessCounts {
  Site site;
  AccessKind kind = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;
  int bytesPerLane = 0;
};

/// Managed memory that launches touched while it was with the host, or with nobody, and what it
/// takes on the modelled GPU to bring it. That is no part of the launches' own time.
struct FirstTouch {
  std::uint64_t bytes = 0;
  double seconds = 0;
  double prefetchSeconds = 0; ///< if cudaMemPrefetchAsync had brought it

  FirstTouch& operator+=(const FirstTouch& other);
};

/// One launch, or the sum of several launches of one kernel.
struct KernelProfile {
  std::string id;     ///< by which it is known: its symbol, with "#2" where an earlier one has that
  std::string kernel; ///< its name, to show; two kernels may share one
  std::uint64_t launches = 0;
  std::uint64_t deviceLaunches = 0;    ///< of those, by kernels
  std::array<int, 3> grid = {1, 1, 1}; ///< of the last launch
  std::array<int, 3> block = {1, 1, 1};
  std::uint64_t dynamicShared = 0;
  std::uint64_t staticShared = 0;
  std::uint64_t blocks = 0;       ///< of all launches
  std::uint64_t memoryBlocks = 0; ///< of those, in which memory instructions counted
  std::uint64_t warpInstructions = 0;
  std::uint64_t threadInstructions = 0; ///< = used lane slots
  std::uint64_t lostToFinished = 0;     ///< lanes whose thread had returned
  std::uint64_t lostToPartial = 0;      ///< lanes without a thread
  /// Lanes that are off inside what one instruction of the source became: the slow path of a
  /// division, the loop of an atomic on shared floats, a routine that helps.
  std::uint64_t lostToSequences = 0;
  /// Of the used lane slots, those whose predicate did not hold: they count as active and do
  /// nothing. Nothing where no machine code was run, which alone knows.
  std::optional<std::uint64_t> switchedOff{};
  double seconds = 0;                     ///< of the run on this machine
  double laneCycles = 0;                  ///< used and lost, of the modelled GPU, from a sample
  std::optional<KernelTiming> timing;     ///< on the modelled GPU
  std::vector<BranchProfile> branches;    ///< ordered by site
  std::vector<LineProfile> lines{};       ///< ordered by site; empty where not known
  std::vector<LoopProfile> loops;         ///< ordered by site
  std::vector<MemoryProfile> accesses;    ///< ordered by site
  std::optional<WarpRecords> recorded{};  ///< where that was asked for
  std::optional<FirstTouch> firstTouch{}; ///< where there was one

  std::string symbol() const; ///< of its device code
  std::uint64_t slots() const;
  std::uint64_t lostToBranches() const;
  double efficiency() const;         ///< used / all slots; 1 for no slots
  double averageActiveLanes() const; ///< of a warp
  /// Those of the active lanes whose predicate holds.
  std::optional<double> averageLanesOn() const;
  double shareOfUsed(std::uint64_t lanes) const; ///< as switched off ones are told; 0 for none used
  std::uint64_t lost() const;                    ///< to all owners

  /// used + lost = slots, every lost slot with one owner; and what predicates switched off is
  /// part of what was used, in the kernel, its lines and its branches.
  bool addsUp() const;
  bool lanesAddUp() const;
  bool switchedOffAddsUp() const;

  /// Adds another launch of the same kernel, or another part of the same launch.
  void add(const KernelProfile& part);
};

/// Nothing where one of them is not known.
std::optional<std::uint64_t> sumIfKnown(const std::optional<std::uint64_t>& one,
                                        const std::optional<std::uint64_t>& other);

} // namespace heddle::profile
