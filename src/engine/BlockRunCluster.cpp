// SPDX-License-Identifier: Apache-2.0
//
// What a block sees of the others of its cluster: their shared memory, which is plain memory of
// ours, and the barrier at which all of them meet.
//
// A thread arrives at the barrier, and later waits there until all threads of the cluster that have
// not returned have arrived:
//
//                                   arrived   owed to a wait
//   barrier.cluster.arrive             1            1
//   barrier.cluster.wait               1            0          stops here
//   all have arrived                   0            0          goes on
//
// Whether all have is asked when no thread of the cluster can go on otherwise. So one that has not
// waited yet when the barrier opens finds it open.
#include "engine/BlockRun.h"
#include "ptx/ReadPtx.h"

#include <algorithm>
#include <bit>

namespace heddle::engine {
namespace {

// What mapShared gives where there is nothing. No memory of ours is there.
constexpr unsigned kindShift = 56;
constexpr std::uint64_t noSuchBlock = 0xc1; ///< the rank and the offset follow
constexpr std::uint64_t notShared = 0xc2;   ///< the address follows
constexpr unsigned rankInAddress = 32;
constexpr std::uint32_t largestRank = (1U << (kindShift - rankInAddress)) - 1;

std::uint64_t lowerBits(std::uint64_t address, unsigned bits) {
  return address & ((std::uint64_t{1} << bits) - 1);
}

} // namespace

/// The block of the cluster whose shared memory holds the bytes, also one that has finished.
const BlockRun* BlockRun::sharedHolder(std::uint64_t address, unsigned bytes) const {
  const auto holds = [&](const BlockRun& block) {
    const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(block.shared_.get());
    return offset <= block.sharedSize_ && bytes <= block.sharedSize_ - offset;
  };
  if (holds(*this))
    return this;
  for (const std::unique_ptr<BlockRun>& block : cluster_)
    if (holds(*block))
      return block.get();
  return nullptr;
}

/// Never a fault: the address may be computed where it is not needed. An access says what is wrong.
std::uint64_t BlockRun::mapShared(std::uint64_t address, std::uint32_t rank) const {
  const BlockRun* const holder = sharedHolder(address, 0); // an end is fine
  if (holder == nullptr)
    return notShared << kindShift | lowerBits(address, kindShift);
  const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(holder->shared_.get());
  if (rank >= std::uint32_t(launch_.request.clusterBlocks()))
    return noSuchBlock << kindShift | std::uint64_t{std::min(rank, largestRank)} << rankInAddress |
           offset;
  const BlockRun& target = cluster_.empty() ? *this : *cluster_[rank];
  return reinterpret_cast<std::uint64_t>(target.shared_.get()) + offset;
}

std::uint32_t BlockRun::sharedRank(std::uint64_t address) const {
  const BlockRun* const holder = sharedHolder(address, 1);
  if (holder != nullptr)
    return std::uint32_t(holder->contexts_.front().clusterRank);
  return address >> kindShift == noSuchBlock
             ? std::uint32_t(lowerBits(address, kindShift) >> rankInAddress)
             : ~0U;
}

std::uint64_t BlockRun::shortAddress(std::uint64_t address) const {
  const BlockRun* const holder = sharedHolder(address, 1);
  const BlockRun& block = holder != nullptr ? *holder : *this;
  const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(block.shared_.get());
  if (&block == this)
    return offset;
  return (std::uint64_t(block.contexts_.front().clusterRank) + 1) << ptx::rankShift | offset;
}

bool BlockRun::isInOthersShared(std::uint64_t address) const {
  const BlockRun* const holder = sharedHolder(address, 1);
  return holder != nullptr && holder != this;
}

bool BlockRun::reachesOthers(const std::uint64_t* addresses, LaneMask lanes) const {
  if (cluster_.empty())
    return false;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
    if (isInOthersShared(addresses[std::countr_zero(rest)]))
      return true;
  return false;
}

/// Of an address that no access may touch; nothing if it is not about a cluster.
std::string BlockRun::describeInCluster(std::uint64_t address, unsigned bytes) const {
  if (address >> kindShift == noSuchBlock)
    return fmt::format("in the shared memory of block {} of its cluster, which has {}",
                       lowerBits(address, kindShift) >> rankInAddress,
                       launch_.request.clusterBlocks());
  if (address >> kindShift == notShared)
    return fmt::format("which was to be in another block's shared memory, but {:#x} is in none",
                       lowerBits(address, kindShift));
  const BlockRun* const holder = sharedHolder(address, bytes);
  if (holder != nullptr && holder->finished_ == holder->warps_)
    return fmt::format("in the shared memory of block {} of its cluster, which has ended; let it "
                       "wait for the others before it returns",
                       holder->contexts_.front().clusterRank);
  if (holder != nullptr && holder != this)
    return fmt::format("in the shared memory of block {} of its cluster, which this instruction "
                       "cannot reach: map the address with map_shared_rank",
                       holder->contexts_.front().clusterRank);
  return {};
}

void BlockRun::comeToCluster(WarpContext& warp, unsigned site, LaneMask lanes, bool waits) {
  const LaneMask wrong = waits ? lanes & ~warp.clusterOwed : lanes & warp.clusterOwed;
  if (wrong != 0)
    return fault(warp, FaultKind::BadBarrier,
                 fmt::format("{}{} {}", place(int(site)), who(warp, std::countr_zero(wrong)),
                             waits ? "waits at the cluster's barrier, at which it has not arrived"
                                   : "arrives at the cluster's barrier again before it has waited "
                                     "there"));
  if (!waits) {
    warp.clusterArrived |= lanes;
    warp.clusterOwed |= lanes;
    return;
  }
  warp.clusterOwed &= ~lanes;
  warp.clusterWaiting |= lanes;
  warp.barrierNumber = ptx::clusterBarrier + 1;
  warp.barrierThreads = 0;
}

bool BlockRun::waitsAtCluster() const {
  return std::ranges::any_of(contexts_, [](const WarpContext& warp) {
    return warp.barrierNumber == ptx::clusterBarrier + 1;
  });
}

std::optional<std::string> BlockRun::missingAtCluster() const {
  for (std::size_t warp = 0; warp < runs_.size(); ++warp) {
    if (states_[warp] == WarpState::Finished)
      continue;
    const LaneMask missing = runs_[warp].liveLanes() & ~contexts_[warp].clusterArrived;
    if (missing != 0)
      return who(contexts_[warp], std::countr_zero(missing));
  }
  return {};
}

/// Lets a warp go on that waits there. False at a fault.
bool BlockRun::leaveCluster(int warp) {
  WarpContext& here = context(warp);
  WarpRun& run = runs_[std::size_t(warp)];
  if (run.missingAtBarrier() != 0) {
    missingAtBarrier(here, run);
    return false;
  }
  if (const LaneMask others = run.lanesAtBarrier() & ~here.clusterWaiting; others != 0) {
    fault(here, FaultKind::BadBarrier,
          fmt::format("{}lanes of a warp wait at different barriers: {} at the cluster's, lane {} "
                      "at one of the block",
                      place(run.barrierSite()), who(here, std::countr_zero(here.clusterWaiting)),
                      std::countr_zero(others)));
    return false;
  }
  here.clusterWaiting = here.barrierNumber = 0;
  run.releaseBarrier(worker_->counters);
  states_[std::size_t(warp)] = WarpState::Running;
  return true;
}

/// A warp has stopped, and lanes of it wait there: they go on if the barrier has opened meanwhile.
/// False at a fault.
bool BlockRun::passOpenCluster(int warp) {
  WarpContext& here = context(warp);
  if (here.barrierNumber != ptx::clusterBarrier + 1) {
    fault(here, FaultKind::BadBarrier,
          fmt::format("{}lanes of a warp wait at different barriers: {} at the cluster's, others "
                      "at barrier {}",
                      place(runs_[std::size_t(warp)].barrierSite()),
                      who(here, std::countr_zero(here.clusterWaiting)), here.barrierNumber - 1));
    return false;
  }
  if ((here.clusterArrived & here.clusterWaiting) != 0)
    return true;
  opened_ = true;
  return leaveCluster(warp);
}

bool BlockRun::passCluster() {
  for (int warp = 0; warp < warps_; ++warp) {
    WarpContext& here = context(warp);
    here.clusterArrived = 0;
    if (states_[std::size_t(warp)] == WarpState::AtBarrier &&
        here.barrierNumber == ptx::clusterBarrier + 1 && !leaveCluster(warp))
      return false;
  }
  sortWarps();
  return true;
}

void BlockRun::reportCluster(const std::string& missing) {
  for (int warp = 0; warp < warps_; ++warp) {
    WarpContext& here = context(warp);
    if (here.barrierNumber != ptx::clusterBarrier + 1)
      continue;
    return fault(here, FaultKind::BadBarrier,
                 fmt::format("{}{} waits for ever at the cluster's barrier: {} has not arrived "
                             "there, and waits elsewhere",
                             place(runs_[std::size_t(warp)].barrierSite()),
                             who(here, std::countr_zero(here.clusterWaiting)), missing));
  }
}

} // namespace heddle::engine
