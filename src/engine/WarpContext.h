// SPDX-License-Identifier: Apache-2.0
//
// What compiled code sees of the warp it runs for. The values of a kernel that live across basic
// blocks are in a frame (FrameLayout.h); here is what belongs to the warp as a whole.
#pragma once

#include "profile/KernelProfile.h"
#include "support/LaneMask.h"

#include <cstddef>
#include <cstdint>

namespace heddle::profile {
struct WarpTrace;
}

namespace heddle::engine {

class BlockRun;
struct BranchCounters;

/// What one memory instruction hit last, and what it moved so far, in one worker thread.
struct alignas(64) AccessSite {
  std::uint64_t begin = noAddress; ///< of the live range hit last
  std::uint64_t lastOffset = 0;    ///< addresses from begin to begin + lastOffset are fine for it
  profile::AccessCounts counts;

  static constexpr std::uint64_t noAddress = 0xdead'0000'0000'0000u;
};

/// The device memory that one worker thread adds to in a mirror of its own (PrivateSums.h).
struct SumRange {
  std::uint64_t begin = AccessSite::noAddress;
  std::uint64_t lastOffset = 0; ///< words from begin to begin + lastOffset are mirrored
  std::uint64_t shift = 0;      ///< from a word to its mirror
  std::uint32_t wanted = 1;     ///< whether to ask for a mirror of what is outside
};

inline constexpr std::uint32_t countsMoved = 1;  ///< count what they move
inline constexpr std::uint32_t notesTouches = 2; ///< note which threads touch which bytes
inline constexpr std::uint32_t tracesOnly = 4;   ///< what they move is for the trace alone

struct alignas(64) WarpContext {
  std::int32_t threadIdx[3][warpSize];
  std::int32_t blockDim[3];
  std::int32_t blockIdx[3];
  std::int32_t gridDim[3];
  std::int32_t clusterIdx[3]; ///< of the block's cluster in the grid
  std::int32_t clusterGridDim[3];
  std::int32_t blockInCluster[3];
  std::int32_t clusterDim[3];
  std::int32_t clusterRank; ///< of the block
  std::int32_t clusterSize;
  std::int32_t asksForClusters;
  std::uint32_t clusterArrived; ///< lanes for which the cluster's barrier need not wait
  std::uint32_t clusterOwed;    ///< lanes that have arrived there and are to wait
  std::uint32_t clusterWaiting; ///< lanes that wait there
  std::uint32_t live;           ///< lanes whose thread has not returned
  std::byte* shared;
  std::uint64_t sharedSize;
  const std::byte* arguments;
  AccessSite* sites;
  std::uint64_t instructions; ///< of this warp so far; device clocks read it
  std::uint32_t fixedClock;   ///< unless device clocks count how often each lane has read them
  std::uint32_t clockReads[warpSize];
  std::uint32_t alone;       ///< no other thread of ours runs this launch
  std::uint32_t counts;      ///< what memory instructions do beside their work: bits above
  profile::WarpTrace* trace; ///< where memory instructions note what they move, or nothing
  std::uint64_t standsFor;   ///< how many memory instructions one that is counted stands for
  std::uint64_t lookAt;      ///< instructions after which to look up; 0 once it has faulted
  std::uint64_t faulted;     ///< set by a helper: the warp stops after this basic block
  BlockRun* block;
  const SumRange* sums;     ///< of our thread that runs the warp
  BranchCounters* branches; ///< of our thread that runs the warp
  std::uint64_t* trips;     ///< of each loop, in the current visit
  std::uint64_t runLanes;   ///< how many lanes the leaf has that runs

  // What a block that ends in a barrier, a warp barrier or a call leaves for the run of the warp.
  std::uint32_t barrierVotes;   ///< lanes that said yes
  std::uint32_t barrierCount;   ///< of the whole block, after the barrier
  std::uint32_t barrierAll;     ///< whether all said yes
  std::uint32_t barrierNumber;  ///< 1 more than the number that it was given; 0 for none
  std::uint32_t barrierThreads; ///< that are to come to it; 0 for all
  std::uint32_t warpSyncMask;   ///< lanes that are to meet
  std::uint32_t awaited;        ///< lanes that a block waits for before it begins; 0 for none
  std::uint32_t awaitSite;      ///< and the fault site that names them
  std::uint64_t callTargets[warpSize];
  std::byte* outgoing; ///< arguments of the call, laid out as in the callee's frame

  // What a program may ask about the device.
  std::int32_t multiprocessor;  ///< that the block runs on
  std::int32_t multiprocessors; ///< how many there are
  std::int32_t grid;            ///< number of the launch
};

/// The beginning of every frame.
struct FrameHeader {
  std::byte* resultTo; ///< slot of the caller's frame
  std::byte* local;    ///< this frame's local memory
};

} // namespace heddle::engine
