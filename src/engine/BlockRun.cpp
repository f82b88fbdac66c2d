// SPDX-License-Identifier: Apache-2.0
#include "engine/BlockRun.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace heddle::engine {
namespace {

constexpr std::size_t alignment = 1024; ///< more than a shared variable may ask for
/// Of one warp. Memory instructions cost most.
constexpr TraceWindows::Limits shortTrace{.executions = 128, .accesses = 128, .spread = false};
constexpr TraceWindows::Limits longTrace{.executions = 8192, .accesses = 1024, .spread = true};

std::byte* alignedMemory(std::size_t size) {
  return static_cast<std::byte*>(std::aligned_alloc(alignment, (size / alignment + 1) * alignment));
}

bool waitsAtBarrier(WarpState state) {
  return state == WarpState::AtPlainBarrier || state == WarpState::AtBarrier;
}

void raise(std::atomic<std::uint64_t>& most, std::uint64_t value) {
  std::uint64_t known = most;
  while (known < value && !most.compare_exchange_weak(known, value)) {
  }
}

} // namespace

void BlockRun::AlignedFree::operator()(std::byte* memory) const {
  std::free(memory);
}

BlockRun::BlockRun(LaunchState& launch)
    : launch_(launch),
      threads_(launch.request.block[0] * launch.request.block[1] * launch.request.block[2]),
      warps_((threads_ + warpSize - 1) / warpSize),
      sharedSize_(launch.kernel.sharedSize() + launch.request.dynamicShared),
      shared_(alignedMemory(sharedSize_)), outgoing_(alignedMemory(launch.kernel.largestArguments)),
      frames_(launch.settings.fresh), contexts_(std::size_t(warps_)), runs_(std::size_t(warps_)),
      states_(std::size_t(warps_)), order_(std::size_t(warps_)),
      ordersWarps_(std::ranges::any_of(launch.kernel.prototype.accesses, [](const auto& access) {
        return access.kind == profile::AccessKind::Atomic;
      })) {
  for (int warp = 0; warp < warps_; ++warp)
    prepareContext(warp);
}

BlockRun::~BlockRun() = default;

void BlockRun::prepareContext(int warp) {
  WarpContext& context = contexts_[std::size_t(warp)];
  const std::array<int, 3>& block = launch_.request.block;
  for (int lane = 0; lane < warpSize; ++lane) {
    const int thread = warp * warpSize + lane;
    context.threadIdx[0][lane] = thread % block[0];
    context.threadIdx[1][lane] = thread / block[0] % block[1];
    context.threadIdx[2][lane] = thread / block[0] / block[1];
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    context.blockDim[axis] = block[axis];
    context.gridDim[axis] = launch_.request.grid[axis];
    context.clusterDim[axis] = launch_.request.cluster[axis];
    context.clusterGridDim[axis] = launch_.request.grid[axis] / launch_.request.cluster[axis];
    context.blockInCluster[axis] = 0;
  }
  context.clusterRank = 0;
  context.clusterSize = launch_.request.clusterBlocks();
  context.asksForClusters = launch_.request.asksForClusters ? 1 : 0;
  context.multiprocessors = launch_.settings.multiprocessors;
  context.grid = launch_.settings.grid;
  // Without shared memory no address is in it.
  context.shared =
      sharedSize_ > 0 ? shared_.get() : reinterpret_cast<std::byte*>(AccessSite::noAddress);
  context.sharedSize = sharedSize_;
  context.arguments = launch_.arguments.data();
  context.outgoing = outgoing_.get();
  context.block = this;
}

void BlockRun::placeInCluster(WarpContext& warp, const ClusterPlace& place) const {
  warp.clusterArrived = warp.clusterOwed = warp.clusterWaiting = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    warp.clusterIdx[axis] = cluster_.empty() ? warp.blockIdx[axis] : place.cluster[axis];
  if (cluster_.empty())
    return;
  for (std::size_t axis = 0; axis < 3; ++axis)
    warp.blockInCluster[axis] = place.block[axis];
  warp.clusterRank = place.rank;
}

void BlockRun::start(std::int64_t number, const ClusterPlace& place) {
  if (launch_.settings.sample.before && launch_.settings.sample.has(number)) {
    if (launch_.kernel.showsOrder && !launch_.inTurns)
      launch_.sequence.await(launch_.turnOf(place.number));
    launch_.settings.sample.before(number);
  }
  number_ = number;
  clusterNumber_ = place.number;
  polled_ = false;
  text_.clear();
  finished_ = 0;
  told_ = 0;
  barriers_ = {};
  std::memset(shared_.get(), launch_.settings.fresh, sharedSize_);
  std::iota(order_.begin(), order_.end(), 0);
  progressed_ = true;
  const bool counts = launch_.sampling.counts(number);
  const bool traced = launch_.settings.account && launch_.sampling.isTraced(number);
  const bool deep = launch_.sampling.isDeep(number);
  trace_ = {number, deep, std::vector<profile::WarpTrace>(traced ? std::size_t(warps_) : 0)};
  atomics_.assign(trace_.warps.size(), {});
  sectors_.clear();
  footprints_.clear();
  sharedTouches_.clear();
  prepared_.clear();
  children_.clear();
  lastErrors_.clear();
  const std::array<int, 3>& grid = launch_.request.grid;
  for (int warp = 0; warp < warps_; ++warp) {
    WarpContext& to = context(warp);
    to.blockIdx[0] = int(number % grid[0]);
    to.blockIdx[1] = int(number / grid[0] % grid[1]);
    to.blockIdx[2] = int(number / grid[0] / grid[1]);
    to.multiprocessor = int(number % launch_.settings.multiprocessors);
    placeInCluster(to, place);
    to.counts = (counts || traced ? countsMoved : 0) | (counts || !traced ? 0 : tracesOnly) |
                (launch_.settings.touches ? notesTouches : 0);
    to.barrierNumber = to.barrierThreads = 0;
    to.fixedClock = launch_.settings.fixedClock ? 1 : 0;
    std::ranges::fill(to.clockReads, 0u);
    to.trace = traced ? &trace_.warps[std::size_t(warp)] : nullptr;
    const int left = threads_ - warp * warpSize;
    const LaneMask existing = left >= warpSize ? allLanes : (LaneMask{1} << left) - 1;
    runs_[std::size_t(warp)].start(launch_.kernel, to, frames_, launch_.settings.reconvergence,
                                   existing, deep ? longTrace : shortTrace);
    if (launch_.settings.recorder != nullptr)
      runs_[std::size_t(warp)].recordIn(launch_.settings.recorder->take());
    states_[std::size_t(warp)] = WarpState::Running;
  }
}

void BlockRun::attach(Worker& worker) {
  worker_ = &worker;
  for (WarpContext& context : contexts_) {
    context.sites = worker.counters.sites.data();
    context.branches = worker.counters.branches.data();
    context.sums = &worker.sums.range();
    context.alone = worker.alone ? 1 : 0;
  }
}

/// Gives every warp that can run a turn. Returns false at a fault.
bool BlockRun::runWarps() {
  Counters& counters = worker_->counters;
  bool progressed = false;
  opened_ = gaveWay_ = false;
  int finished = 0, spinning = 0, waitingPlainly = 0;
  for (const int warp : order_) {
    WarpRun& run = runs_[std::size_t(warp)];
    WarpState& state = states_[std::size_t(warp)];
    if (state == WarpState::Running || state == WarpState::Spinning) {
      state = run.run(counters);
      progressed = progressed || run.progressed();
      gaveWay_ = gaveWay_ || (state == WarpState::Spinning && run.gaveWay());
      if (state == WarpState::Faulted)
        return false;
      if (state == WarpState::AtBarrier && !countWaiting(warp))
        return false;
    }
    finished += state == WarpState::Finished ? 1 : 0;
    spinning += state == WarpState::Spinning ? 1 : 0;
    waitingPlainly += state == WarpState::AtPlainBarrier ? 1 : 0;
  }
  progressed_ = progressed;
  finished_ = finished;
  spinning_ = spinning;
  waitingPlainly_ = waitingPlainly;
  return true;
}

/// Behind a barrier the warp that had the least to do so far goes first: on a GPU it comes first to
/// what follows, say to an atomic operation. In the order of their numbers the last ones would
/// always come last. Without atomics nobody can tell.
void BlockRun::sortWarps() {
  if (!ordersWarps_)
    return;
  const auto work = [&](int warp) {
    return std::pair(contexts_[std::size_t(warp)].instructions, warp);
  };
  if (!std::ranges::is_sorted(order_, {}, work))
    std::ranges::sort(order_, {}, work);
}

/// The usual barrier: all warps have come to it whole, and nobody votes.
void BlockRun::passPlainBarrier() {
  std::ranges::replace(states_, WarpState::AtPlainBarrier, WarpState::Running);
  sortWarps();
}

/// All warps have finished or wait at a barrier: lets them pass if no thread is missing.
bool BlockRun::passBarrier() {
  if (!waitAtOneBarrier())
    return false;
  std::uint32_t yes = 0, present = 0;
  for (std::size_t warp = 0; warp < runs_.size(); ++warp) {
    if (!waitsAtBarrier(states_[warp]))
      continue;
    const WarpRun& run = runs_[warp];
    if (run.missingAtBarrier() != 0) {
      missingAtBarrier(contexts_[warp], run);
      return false;
    }
    present += std::uint32_t(countLanes(run.liveLanes()));
    if (contexts_[warp].barrierVotes != 0)
      yes += std::uint32_t(countLanes(contexts_[warp].barrierVotes & run.liveLanes()));
  }
  for (std::size_t warp = 0; warp < runs_.size(); ++warp) {
    contexts_[warp].barrierCount = yes;
    contexts_[warp].barrierNumber = 0;
    contexts_[warp].barrierAll = yes == present ? 1 : 0;
    if (!waitsAtBarrier(states_[warp]))
      continue;
    runs_[warp].releaseBarrier(worker_->counters);
    states_[warp] = WarpState::Running;
  }
  sortWarps();
  return true;
}

BlockState BlockRun::run(Worker& worker) {
  attach(worker);
  bool anywhere = false;
  for (;;) {
    if (!runWarps())
      return BlockState::Faulted;
    anywhere = anywhere || progressed_;
    if (finished_ == warps_) {
      finish();
      return BlockState::Finished;
    }
    if (opened_) {
      anywhere = true;
    } else if (waitingPlainly_ + finished_ == warps_) {
      anywhere = true;
      passPlainBarrier();
    } else if (spinning_ == 0) {
      if (waitsAtCluster())
        return BlockState::AtCluster;
      if (!passBarrier())
        return BlockState::Faulted;
    } else if (!progressed_) {
      progressed_ = anywhere;
      return BlockState::Waiting;
    } else if (gaveWay_ || launch_.blocksTakeTurns()) {
      return BlockState::TurnOver;
    }
  }
}

/// Tells the launch how long its warps were, and what a block that counts has left.
void BlockRun::finish() {
  for (DeviceLaunch& child : children_)
    worker_->children.emplace_back(number_, std::move(child));
  std::uint64_t longest = 0, longestOfWork = 0, all = 0, polled = 0, ofLanes = 0;
  for (int warp = 0; warp < warps_; ++warp) {
    WarpRun& run = runs_[std::size_t(warp)];
    const std::uint64_t ran = context(warp).instructions;
    // Without loops that poll, which a GPU may run more often or less.
    const std::uint64_t work = ran - std::min(ran, run.instructionsPolled());
    longest = std::max(longest, ran);
    longestOfWork = std::max(longestOfWork, work);
    all += ran;
    polled += run.instructionsPolled();
    ofLanes += run.laneInstructions();
    if (launch_.settings.recorder != nullptr)
      launch_.settings.recorder->add(run.takeRecording(), number_, warp, run.threads(), ran);
    if (trace_.warps.empty())
      continue;
    trace_.warps[std::size_t(warp)].instructions = ran;
    trace_.warps[std::size_t(warp)].polls = ran - work;
    const auto traced = double(std::max<std::uint64_t>(run.instructionsCovered(), 1));
    for (const auto& [line, passes] : atomics_[std::size_t(warp)])
      trace_.atomics[line] += passes * (double(ran) / traced);
  }
  if (!launch_.blockSizes.empty())
    launch_.blockSizes[std::size_t(number_)] = all;
  launch_.sampling.end(number_, all);
  if (launch_.settings.mostInstructions != std::numeric_limits<std::uint64_t>::max())
    mayGoOn(contexts_.front(), all - std::min(told_, all)); // what warps did since they looked up
  launch_.polledInstructions += polled;
  raise(launch_.longestWarp, longest);
  raise(launch_.longestOfWork, longestOfWork);
  if (launch_.settings.sample.has(number_)) {
    const std::scoped_lock lock(launch_.mutex);
    launch_.sampled[number_] = {all, ofLanes};
  }
  if (!trace_.warps.empty())
    giveTrace();
}

void BlockRun::giveTrace() {
  trace_.sectors = sectors_.end();
  launch_.sampling.add(std::move(trace_), std::move(footprints_));
}

bool BlockRun::noteSectors(std::uint32_t site, std::uint64_t address, std::uint64_t sectors,
                           std::uint64_t fresh) {
  constexpr std::uint64_t mostCoalesced = 16; // sectors of 16 bytes a lane
  const Allocation* found = launch_.memory.find(address, 1);
  if (found == nullptr)
    return false;
  const std::uint64_t offset = address - found->begin;
  profile::Footprint& footprint = footprints_[{site, found->place}];
  footprint.site = site;
  footprint.begin = found->place;
  footprint.size = found->size;
  footprint.onHost = found->onHost;
  footprint.first = std::min(footprint.first, offset);
  footprint.end =
      std::max(footprint.end, std::min(found->size, offset + sectors * profile::bytesOfASector));
  footprint.fresh += fresh;
  footprint.scattered += sectors > mostCoalesced ? fresh : 0;
  return true;
}

void BlockRun::noteAtomic(const WarpContext& warp, std::uint32_t site,
                          const std::uint64_t* addresses, LaneMask lanes) {
  const FaultSite& info = launch_.kernel.faultSites[site];
  if (info.kind != profile::AccessKind::Atomic)
    return;
  using profile::bytesOfASector, profile::sectorsOfALine;
  std::map<std::uint64_t, double> ofWord, ofSector;
  const Allocation* found = nullptr;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    std::uint64_t address = addresses[std::countr_zero(rest)];
    if (found == nullptr || address - found->begin >= found->size)
      found = launch_.memory.find(address, 1);
    address = found == nullptr ? address : found->placeOf(address);
    double& most = ofSector[address / bytesOfASector];
    double& ofThis = ofWord[address / std::uint64_t(info.bytesPerLane)];
    ofThis = info.isTogether ? 1 : ofThis + 1;
    most = std::max(most, ofThis);
  }
  auto& ofLines = atomics_[std::size_t(warp.trace - trace_.warps.data())];
  for (const auto& [sector, passes] : ofSector) {
    profile::AtomicPasses& ofLine = ofLines[sector / sectorsOfALine];
    (info.isFloat ? ofLine.floats : ofLine.integers) += passes * double(warp.standsFor);
  }
}

void BlockRun::settle(Worker& worker) {
  for (std::size_t warp = 0; warp < runs_.size(); ++warp) {
    if (states_[warp] != WarpState::Finished)
      runs_[warp].settle(worker.counters);
    runs_[warp].giveBackFrames();
  }
}

std::uint64_t BlockRun::instructionsBetweenChecks() const {
  constexpr std::uint64_t usual = 1 << 18, partsOfLimit = 64;
  return std::clamp<std::uint64_t>(launch_.settings.mostInstructions / partsOfLimit, 1, usual);
}

bool BlockRun::mayGoOn(WarpContext& warp, std::uint64_t instructions) {
  told_ += instructions;
  const std::uint64_t total = launch_.instructions += instructions;
  if (launch_.settings.stop != nullptr && *launch_.settings.stop)
    launch_.stopAll({FaultKind::Interrupted, "interrupted"});
  else if (total > launch_.settings.mostInstructions)
    fault(warp, FaultKind::InstructionBudget,
          fmt::format("kernel '{}' has run more than {} warp-instructions and was stopped; raise "
                      "the limit with --max-instructions if it is not an endless loop",
                      launch_.kernel.name(), launch_.settings.mostInstructions));
  return !launch_.isStopped(clusterNumber_);
}

} // namespace heddle::engine
