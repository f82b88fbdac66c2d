// SPDX-License-Identifier: Apache-2.0
//
// The 16 barriers of a block that have a number, and for which a count of threads may be given:
// `bar.sync 1, 64`. Warps arrive one after the other; the last one lets those that wait go on.
//
//   warp 0   bar.arrive 1, 64    32 have come; goes on
//   warp 1   bar.sync   1, 64    64 have come: goes on, and the barrier starts anew
//
// A count is of whole warps: one whose last threads do not exist counts as 32 all the same.
#include "engine/BlockRun.h"
#include "ptx/ReadPtx.h"

#include <bit>

namespace heddle::engine {

bool BlockRun::checkBarrier(WarpContext& warp, unsigned site, LaneMask lanes, std::uint32_t number,
                            std::uint32_t threads) {
  const auto here = [&] { return place(int(site)) + who(warp, std::countr_zero(lanes)); };
  if (number >= barriers_.size())
    fault(warp, FaultKind::BadBarrier,
          fmt::format("{} comes to barrier {}: a block has barriers 0 to {}", here(), number,
                      barriers_.size() - 1));
  else if (threads % warpSize != 0)
    fault(warp, FaultKind::BadBarrier,
          fmt::format("{} comes to barrier {} of {} threads: a count is a multiple of {}", here(),
                      number, threads, warpSize));
  else if (threads > std::uint32_t(warps_ * warpSize))
    fault(warp, FaultKind::BadBarrier,
          fmt::format("{} comes to barrier {} of {} threads: the block has only {}", here(), number,
                      threads, threads_));
  else if (const Barrier& known = barriers_[number]; known.come > 0 && known.threads != threads)
    fault(warp, FaultKind::BadBarrier,
          fmt::format("{} comes to barrier {} of {} threads, where others wait for {}", here(),
                      number, threads, known.threads));
  return warp.faulted == 0;
}

/// All lanes name the same barrier, and no others of their warp wait at another one.
void BlockRun::nameBarrier(WarpContext& warp, unsigned site, LaneMask lanes,
                           const std::uint32_t* numbers, const std::uint32_t* threads, bool waits) {
  const int first = std::countr_zero(lanes);
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
    if (const int lane = std::countr_zero(rest);
        numbers[lane] != numbers[first] || threads[lane] != threads[first])
      return fault(warp, FaultKind::BadBarrier,
                   fmt::format("{}lanes of a warp come to different barriers: {} to {}, lane {} to "
                               "{}",
                               place(int(site)), who(warp, first), numbers[first], lane,
                               numbers[lane]));
  if (numbers[first] == ptx::clusterBarrier)
    return comeToCluster(warp, site, lanes, waits);
  if (!checkBarrier(warp, site, lanes, numbers[first], threads[first]))
    return;
  if (!waits) {
    const bool isWhole = lanes == warp.live;
    return arriveAt(warp, site, numbers[first], threads[first],
                    isWhole ? warpSize : countLanes(lanes));
  }
  warp.barrierNumber = numbers[first] + 1;
  warp.barrierThreads = threads[first];
}

void BlockRun::arriveAt(WarpContext& warp, unsigned site, std::uint32_t number,
                        std::uint32_t threads, int come) {
  Barrier& barrier = barriers_[number];
  barrier.threads = threads;
  barrier.come += std::uint32_t(come);
  if (barrier.come > threads)
    return fault(warp, FaultKind::BadBarrier,
                 fmt::format("{}{} threads have come to barrier {} of {}", place(int(site)),
                             barrier.come, number, threads));
  if (barrier.come == threads)
    openBarrier(number);
}

/// Lets all go on that wait at a barrier, with what they voted.
void BlockRun::openBarrier(std::uint32_t number) {
  const auto waitsHere = [&](std::size_t warp) {
    return states_[warp] == WarpState::AtBarrier && contexts_[warp].barrierNumber == number + 1;
  };
  std::uint32_t yes = 0, present = 0;
  for (std::size_t warp = 0; warp < runs_.size(); ++warp)
    if (waitsHere(warp)) {
      present += std::uint32_t(countLanes(runs_[warp].liveLanes()));
      yes += std::uint32_t(countLanes(contexts_[warp].barrierVotes & runs_[warp].liveLanes()));
    }
  for (std::size_t warp = 0; warp < runs_.size(); ++warp)
    if (waitsHere(warp)) {
      contexts_[warp].barrierCount = yes;
      contexts_[warp].barrierAll = yes == present ? 1 : 0;
      contexts_[warp].barrierNumber = 0;
      runs_[warp].releaseBarrier(worker_->counters);
      states_[warp] = WarpState::Running;
    }
  barriers_[number] = {};
  opened_ = true;
}

/// A warp has stopped at a barrier: counts it, where the barrier has a count. False at a fault.
bool BlockRun::countWaiting(int warp) {
  WarpContext& here = contexts_[std::size_t(warp)];
  if (here.clusterWaiting != 0)
    return passOpenCluster(warp);
  if (here.barrierNumber == 0 || here.barrierThreads == 0)
    return true;
  const WarpRun& run = runs_[std::size_t(warp)];
  if (run.missingAtBarrier() != 0) {
    missingAtBarrier(here, run);
    return false;
  }
  arriveAt(here, unsigned(run.barrierSite()), here.barrierNumber - 1, here.barrierThreads,
           warpSize);
  return here.faulted == 0;
}

/// No warp can run: whether all wait at the same barrier, which has no count. Else says what can
/// never be met.
bool BlockRun::waitAtOneBarrier() {
  const WarpContext* first = nullptr;
  for (std::size_t warp = 0; warp < runs_.size(); ++warp) {
    WarpContext& here = contexts_[warp];
    if (states_[warp] != WarpState::AtBarrier && states_[warp] != WarpState::AtPlainBarrier)
      continue;
    const int site = runs_[warp].barrierSite();
    const auto waiter = [&] {
      return place(site) + who(here, std::countr_zero(runs_[warp].lanesAtBarrier()));
    };
    if (here.barrierNumber != 0 && here.barrierThreads != 0) {
      const Barrier& barrier = barriers_[here.barrierNumber - 1];
      fault(here, FaultKind::BadBarrier,
            fmt::format("{} waits for ever at barrier {}: {} of {} threads have come, and no "
                        "others can",
                        waiter(), here.barrierNumber - 1, barrier.come, barrier.threads));
      return false;
    }
    if (first == nullptr)
      first = &here;
    const auto number = [](const WarpContext& each) {
      return each.barrierNumber == 0 ? 0 : each.barrierNumber - 1;
    };
    if (number(*first) != number(here)) {
      fault(here, FaultKind::BadBarrier,
            fmt::format("{} waits for ever at barrier {}: other threads of the block wait at "
                        "barrier {}",
                        waiter(), number(here), number(*first)));
      return false;
    }
  }
  return true;
}

} // namespace heddle::engine
