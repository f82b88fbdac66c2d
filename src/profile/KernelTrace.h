// SPDX-License-Identifier: Apache-2.0
//
// What a run tells of a kernel so that its time on a GPU can be worked out: the shape of its basic
// blocks, which does not change, and for the warps of a few thread blocks the blocks they ran and
// what their memory instructions moved. The engine writes it and knows nothing of cycles; timing
// reads it and knows nothing of values.
#pragma once

#include "profile/KernelProfile.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::profile {

/// The part of a multiprocessor that an instruction needs.
enum class Unit : std::uint8_t {
  Fp32,
  Fp64,
  Int32, ///< logic, comparisons, selections
  IntAdd,
  IntMultiply,
  Shift,
  Multiply24, ///< an instruction of the first GPUs, a sequence since
  Special,
  Convert,
  IntToFloat, ///< of 32 bits
  LoadStore,
  Shuffle,
  Vote,
  BarrierResult, ///< what a barrier has counted
  Control,       ///< an issue slot and nothing else
};
inline constexpr std::size_t unitCount = 15;

enum class StepKind : std::uint8_t {
  Compute,
  Merge, ///< a value comes from one of several places; nothing is issued
  Branch,
  Access,
  Barrier,
  Fence,
  Gather, ///< wait for the lanes that do something together
};

inline constexpr int noValue = -1;

/// One instruction as a machine sees it, or a short sequence that stands for one.
struct Step {
  StepKind kind = StepKind::Compute;
  Unit unit = Unit::Int32;
  AccessKind access = AccessKind::Load; ///< of an access
  MemorySpace space = MemorySpace::Global;
  std::uint16_t issues = 1;       ///< machine instructions; an access of none costs nothing
  std::uint16_t dependent = 1;    ///< of those, how many wait for one another
  std::uint16_t bytes = 0;        ///< of one lane's access
  bool isConstant = false;        ///< an access to constant memory, which has a cache of its own
  bool isStrong = false;          ///< volatile or atomic: a load that the L1 may not answer
  bool waitsForPredicate = false; ///< branches and votes: they take the outcome of a comparison
  bool marksMeeting = false;      ///< branches: they also say or wait where the sides meet
  int site = -1;                  ///< of an access: its number in the traffic
  int result = noValue;           ///< a number of the value, unique in the kernel
  std::array<int, 4> operands = {noValue, noValue, noValue, noValue};
  // Where ptxas planned the issue: these take the place of operands and results.
  std::uint8_t stall = 0; ///< cycles until the warp's next step
  std::uint8_t waits = 0; ///< a bit for each scoreboard
  int sets = noValue;     ///< a scoreboard, when the result is there
  int reads = noValue;    ///< a scoreboard, when the operands have been read
};

inline constexpr std::size_t scoreboardCount = 6;

/// What a basic block asks for by itself, whichever block's steps do it.
struct BlockWork {
  struct Use {
    int site = -1;
    AccessKind kind = AccessKind::Load;
  };
  std::array<std::uint32_t, unitCount> issues{}; ///< machine instructions, by unit
  std::uint32_t meetings = 0; ///< of its branches, how many say or wait where the sides meet
  std::uint32_t steps = 0;
  bool hasBarrier = false;
  std::vector<Use> accesses; ///< that have a site, in order

  void add(const Step& step) {
    issues[std::size_t(step.unit)] += step.issues;
    meetings += step.marksMeeting ? 1 : 0;
    ++steps;
    hasBarrier = hasBarrier || step.kind == StepKind::Barrier;
    if (step.kind == StepKind::Access && step.site >= 0)
      accesses.push_back({step.site, step.access});
  }
};

inline BlockWork workOf(const std::vector<Step>& steps) {
  BlockWork work;
  for (const Step& step : steps)
    work.add(step);
  return work;
}

/// A basic block as a GPU's compiler left it (lowering/Lower.h).
struct BlockShape {
  /// What a warp issues when it runs the block. ptxas moves instructions: these may do the work of
  /// blocks before and behind it too, whose steps are none then.
  std::vector<Step> steps;
  std::uint32_t instructions = 0; ///< that the account counts
  bool isMachineCode = false;     ///< the steps are those that ptxas made and planned
  unsigned rounds = 1;            ///< of the loop around it that the steps are: ptxas unrolls
  bool isRunBefore = false;       ///< its work is in the steps of another block
  BlockWork work = {};
};

/// Whose threads take their work from one counter, if they do (analysis/WorkQueue.h).
enum class WorkCounter : std::uint8_t { None, OfBlocks, OfTheGrid };

/// The blocks of the kernel and of the functions it calls, one after the other.
struct KernelShape {
  std::vector<BlockShape> blocks;
  int values = 0; ///< how many numbers are in use
  WorkCounter takesWork = WorkCounter::None;
  bool recurses = false; ///< a function of it may be called again before it returns
  bool callsByPointer = false;
};

/// What one execution of a memory instruction moved.
struct Traffic {
  std::int32_t site = -1;
  std::uint16_t transactions = 0;         ///< sectors, or passes over the banks
  std::uint16_t fresh = 0;                ///< sectors that the thread block had not used before
  std::uint32_t sectors = unknownSectors; ///< where the warp's list has their numbers
  std::uint16_t banks = 0; ///< different words of four bytes that are wanted of one bank, where
                           ///< sectors are known

  static constexpr std::uint32_t unknownSectors = ~std::uint32_t{0};
};

/// Who has the lanes of a warp while a block runs: 32 = active + lost to branches + finished +
/// partial.
struct LaneUse {
  struct Loss {
    int branch;
    int lanes;
    auto operator<=>(const Loss&) const = default;
  };
  int active = 0;
  int finished = 0;
  int partial = 0;
  std::vector<Loss> branches;
  int depth = 0; ///< branches that parted them and have not joined them again
  int ended = 0; ///< lanes that have returned, whoever let them

  auto operator<=>(const LaneUse&) const = default;
};

struct WarpTrace {
  struct Execution {
    std::uint32_t block;       ///< of the shape
    std::uint32_t use;         ///< of the uses
    std::uint32_t traffic = 0; ///< how much of the traffic was before it
  };
  /// A long warp is traced in parts.
  struct Window {
    std::uint32_t traffic = 0;      ///< how much of the traffic was before it
    std::uint64_t instructions = 0; ///< that the warp had run
  };
  std::vector<Execution> executions;
  std::vector<Traffic> traffic; ///< in the order of execution
  std::vector<LaneUse> uses;
  std::uint64_t instructions = 0; ///< that the warp ran, traced or not
  bool cutOff = false;            ///< it ran on after the trace was full
  /// What the accesses touched: numbers that are the block's own. Which warp of a block is the
  /// first to want a sector, and has to wait for it, depends on the order in which a GPU runs them.
  std::vector<std::uint32_t> sectors;
  std::uint64_t polls = 0; ///< instructions in loops that look again and again
  std::vector<Window> windows = {};
};

/// Of atomics on device memory: of each sector as many as lanes of a warp want the same of its
/// words.
struct AtomicPasses {
  double integers = 0, floats = 0;

  double all() const { return integers + floats; }
  AtomicPasses& operator+=(const AtomicPasses& other) {
    integers += other.integers;
    floats += other.floats;
    return *this;
  }
  AtomicPasses operator*(double factor) const { return {integers * factor, floats * factor}; }
};

struct BlockTrace {
  std::int64_t number = 0;
  bool deep = true; ///< long warps were traced for long
  std::vector<WarpTrace> warps;
  std::uint32_t sectors =
      0; ///< no number of a sector is that large; those of a line follow each other
  std::map<std::uint64_t, AtomicPasses> atomics = {}; ///< the traced ones, by line of 128 bytes
  /// Lines of its sectors that its warps must have used before a window shows the first use, and
  /// that a cache near them keeps (timing/RepeatedLines.h).
  std::vector<std::uint32_t> keptLines = {};
};
inline constexpr std::uint64_t lineBytes = 128;
inline constexpr std::uint32_t sectorsOfALine = 4;
inline constexpr std::uint64_t bytesOfASector = lineBytes / sectorsOfALine;

/// Blocks that ended at once, where others had work: they are not in the sample.
struct EndedBlocks {
  std::int64_t blocks = 0;
  std::uint64_t instructions = 0;
  std::int64_t beforeOthers = 0; ///< of those, before the last block that had work
};

/// What the traced accesses of one site use of one allocation: for what is in the caches.
struct Footprint {
  std::uint32_t site = 0;
  std::uint64_t begin = 0;     ///< of the allocation, in the device's memory
  std::uint64_t size = 0;      ///< bytes
  std::uint64_t fresh = 0;     ///< sectors that their thread blocks had not used before
  std::uint64_t scattered = 0; ///< of those, by accesses to more places than a coalesced one has
  std::uint64_t first = ~std::uint64_t{0}; ///< byte of the allocation that they touch
  std::uint64_t end = 0;                   ///< behind the last one, as far as it is known
  bool onHost = false;                     ///< the allocation stays with the host, behind the bus
};

struct KernelTrace {
  const KernelShape* shape = nullptr; ///< lives as long as the kernel's code
  /// A sample of the grid, in order, without blocks that ended at once. Short warps can be told
  /// from all of them, long ones from the deep ones.
  std::vector<BlockTrace> blocks;
  std::vector<Footprint> footprints;
  std::uint64_t longestWarp = 0; ///< most instructions that a warp of the grid ran
  /// Of the instructions of neighbouring thread blocks: standard deviation as a share of the mean.
  double variation = 0;
  bool polled = false;     ///< warps waited for others to write, and looked again and again
  std::uint64_t polls = 0; ///< instructions of the grid in loops that look
  EndedBlocks ended = {};
};

} // namespace heddle::profile
