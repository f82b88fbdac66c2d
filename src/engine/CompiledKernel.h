// SPDX-License-Identifier: Apache-2.0
//
// A kernel in machine code, with the functions it calls, and what the run of a warp needs to know
// of their basic blocks.
#pragma once

#include "engine/KernelSites.h"
#include "profile/KernelTrace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::engine {

struct WarpContext;

inline constexpr int noBlock = -1;

enum class BlockKind : std::uint8_t { Jump, Branch, Return, Barrier, WarpBarrier, Call };

struct CompiledBlock {
  using Code = std::uint32_t (*)(std::byte* frame, WarpContext* warp, std::uint32_t mask);

  Code code = nullptr;            ///< nothing for a block that is only a barrier
  std::uint32_t instructions = 0; ///< that count; docs/design/engine.md
  std::array<std::uint32_t, 2> edgeInstructions = {}; ///< more, for lanes that take an edge
  BlockKind kind = BlockKind::Jump;
  bool polls = false;       ///< in a loop, and reads memory that others may change
  bool startsBranch = true; ///< false for the later compares of a switch
  bool votes = false;       ///< of a barrier
  int successors[2] = {noBlock, noBlock};
  int join = noBlock;           ///< where lanes meet that its branch parts
  int leaves[2] = {-1, -1};     ///< the outermost level that an edge leaves
  int branch = -1;              ///< index into branches: of a branch, or a call through a pointer
  int repeats[2] = {-1, -1};    ///< the loop of which an edge is the way back, and nothing else
  int loopEdges[2] = {-1, -1};  ///< index into loopEdges, where an edge means something for a loop
  int callee = -1;              ///< function number; -1 for a call through a pointer
  unsigned resultSlot = 0;      ///< of a call, in the frame of the caller
  int site = -1;                ///< fault site of a barrier or call
  int pollSite = -1;            ///< of a block that polls
  std::vector<int> pollTurn;    ///< the blocks of the innermost loop in which it does
  int pollLoop = -1;            ///< number of that loop
  bool pollsTime = false;       ///< it looks at a clock or sleeps: it waits, whatever changes
  std::uint64_t pollLength = 0; ///< their instructions
};

/// What taking an edge of the control flow means for the loops it belongs to.
struct LoopEdge {
  struct Leave {
    int loop;
    bool bodyDone;        ///< the current trip counts
    unsigned times = 1;   ///< iterations of the source's loop in each trip
    bool isPiece = false; ///< the visit of the source's loop goes on in another piece of it
  };
  /// Of a source's loop that the compiler has made several pieces of; SourceLoops.h.
  struct Visit {
    int loop;
    bool begins = false, ends = false;
    bool isIteration = false; ///< the edge leads to one that is left over
  };
  int enters = -1;
  int repeats = -1;
  std::vector<Leave> leaves;
  std::vector<Visit> visits;
};

/// A loop; lanes that leave it meet at `exitJoin` (analysis/Joins.h).
struct CompiledLevel {
  int end = 0; ///< the levels from its own number up to here are in it
  int exitJoin = noBlock;
};

struct CompiledFunction {
  using Walk = std::uint64_t (*)(std::byte* frame, WarpContext* warp, std::uint32_t mask, int at,
                                 int end);

  std::string name;
  Walk walk = nullptr; ///< WalkCompiler.h
  std::vector<CompiledBlock> blocks;
  std::vector<CompiledLevel> levels; ///< the function itself first
  std::vector<int> levelOf;          ///< of each block
  std::uint32_t arrivalShape = 0;    ///< what lanes run that come to a meeting place from a branch
  std::uint32_t firstShape = 0;      ///< of its blocks in the kernel's shape
  unsigned frameSize = 0;
  unsigned uniformBegin = 0, uniformEnd = 0;
  unsigned argumentsBegin = 0, argumentsSize = 0;
  unsigned localBegin = 0, localSize = 0;

  bool recursive = false; ///< it may call itself, perhaps through others

  bool isIn(int level, int block) const {
    return block != noBlock && level <= levelOf[std::size_t(block)] &&
           levelOf[std::size_t(block)] < levels[std::size_t(level)].end;
  }
  /// Per thread, as a measure for the depth of a recursion. What calls without one take is known
  /// before a launch, and a GPU gives it whatever its stack limit says.
  unsigned stackBytes() const { return recursive ? frameSize / 32 : 0; }
};

/// A kernel that others may launch.
struct LaunchableKernel {
  std::string symbol;
  unsigned argumentSize = 0;
};

/// The number of a block's code, or with a side of what lanes run that take an edge.
inline std::uint32_t codeNumber(std::uint32_t shape, int side = -1) {
  return shape * 3 + std::uint32_t(side + 1);
}

/// Made by DeviceProgram.
struct CompiledKernel {
  std::string kernelName;
  std::vector<CompiledFunction> functions; ///< the kernel first
  std::map<std::uint64_t, int> functionByHandle;
  std::map<std::uint64_t, LaunchableKernel> launchable; ///< by handle, where it launches any
  std::vector<LoopEdge> loopEdges;
  int pollLoops = 0; ///< loops in which blocks poll
  // Whether blocks can tell in which order they run (analysis/BlockOrder.h)
  bool needsTurns = false;
  std::vector<std::pair<unsigned, unsigned>> needsTurnsIfTogether; ///< pointers among arguments
  bool endsInOrder = false;
  bool showsOrder = false;
  bool roundsOtherwise = false; ///< perhaps, on a GPU (ptx/FuseProducts.h)
  std::vector<FaultSite> faultSites;
  std::vector<int> accessRecords;   ///< of each fault site, index into accesses; or -1
  profile::KernelProfile prototype; ///< every record there is, all counts zero
  profile::KernelShape shape;
  /// For warps that are recorded: the lines of each block of the shape, and of its two edges.
  std::vector<profile::Stretch> code;
  std::vector<profile::Site> codePlaces; ///< those lines
  std::vector<unsigned> offsetsOfArguments;
  std::vector<unsigned> sizesOfArguments;
  unsigned sizeOfArguments = 0;
  unsigned alignmentOfArguments = 1;
  unsigned sizeOfShared = 0;
  unsigned largestArguments = 0; ///< bytes that a call inside the kernel may pass

  const std::string& name() const { return kernelName; }
  const std::vector<unsigned>& argumentSizes() const { return sizesOfArguments; }
  const std::vector<unsigned>& argumentOffsets() const { return offsetsOfArguments; }
  unsigned argumentSize() const { return sizeOfArguments; }
  unsigned sharedSize() const { return sizeOfShared; } ///< static part
  unsigned localSize() const { return functions.front().localSize; }
};

} // namespace heddle::engine
