// SPDX-License-Identifier: Apache-2.0
#include "engine/GridRun.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace heddle::engine {
namespace {

constexpr std::uint64_t roundsThatProveAHang = 5'000; ///< with no progress anywhere
constexpr std::chrono::milliseconds betweenReports{100};

/// Standard deviation of the sizes as a share of their mean, as neighbours show it: those of a slow
/// change over the grid are spread over all multiprocessors.
double variationOf(const std::vector<std::uint64_t>& sizes) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sum += double(sizes[i]);
    const double step = i > 0 ? double(sizes[i]) - double(sizes[i - 1]) : 0;
    squares += step * step;
  }
  if (sum == 0 || sizes.size() < 2)
    return 0;
  const auto count = double(sizes.size());
  return std::sqrt(squares / (2 * (count - 1))) / (sum / count);
}

/// Blocks that have begun and not ended: as many as the device holds, and no more than have room
/// here if they only take turns.
std::int64_t mostTogether(const LaunchState& launch) {
  if (!launch.blocksTakeTurns())
    return launch.settings.residentBlocks;
  constexpr std::int64_t room = 256 << 20, fewest = 64;
  const std::int64_t warps = (launch.request.threads() + warpSize - 1) / warpSize;
  const std::int64_t bytes = warps * launch.kernel.functions.front().frameSize +
                             std::int64_t(launch.request.dynamicShared);
  return std::min(launch.settings.residentBlocks,
                  std::max(fewest, room / std::max<std::int64_t>(bytes, 1)));
}

} // namespace

GridRun::GridRun(LaunchState& launch, int workers)
    : launch_(launch), clusterBlocks_(launch.request.clusterBlocks()),
      clusters_(launch.request.blocks() / clusterBlocks_),
      nextReport_(Clock::now() + betweenReports), mostTogether_(mostTogether(launch)) {
  workers_.resize(std::size_t(workers));
}

void GridRun::work(std::size_t number) {
  // Made by the thread that uses it: memory of two threads must not lie on one cache line.
  workers_[number] = std::make_unique<Worker>(launch_.kernel);
  Worker& worker = *workers_[number];
  worker.alone = workers_.size() == 1;
  worker.reports = number == 0;
  if (launch_.inTurns)
    runInTurns(worker);
  else
    runApart(worker);
  worker.sums.end();
}

void GridRun::runApart(Worker& worker) {
  std::unique_ptr<ClusterRun> block;
  for (;;) {
    block = begin(block);
    if (!block)
      return;
    const BlockState state = runToEnd(*block, worker);
    end(*block, worker, state);
    if (state == BlockState::Faulted)
      return;
  }
}

/// Whatever it waits for, other blocks cannot help.
BlockState GridRun::runToEnd(ClusterRun& block, Worker& worker) {
  for (std::uint64_t idle = 0;;) {
    const BlockState state = block.run(worker);
    if (state == BlockState::Finished || state == BlockState::Faulted)
      return state;
    lookUp(worker);
    if (launch_.isStopped(block.number()))
      return BlockState::Faulted;
    idle = block.progressed() ? 0 : idle + 1;
    if (idle > roundsThatProveAHang) {
      block.reportHang(false);
      return BlockState::Faulted;
    }
  }
}

void GridRun::runInTurns(Worker& worker) {
  std::unique_ptr<ClusterRun> spare;
  for (;;) {
    std::unique_ptr<ClusterRun> block = next(spare);
    if (!block)
      return;
    const BlockState state = block->run(worker);
    lookUp(worker);
    if (state == BlockState::Finished || state == BlockState::Faulted) {
      end(*block, worker, state);
      idleTurns_ = 0;
      spare = std::move(block);
    } else {
      setAside(std::move(block));
    }
    if (launch_.fault)
      return;
  }
}

/// The block to run next, or nothing when there is none left.
std::unique_ptr<ClusterRun> GridRun::next(std::unique_ptr<ClusterRun>& spare) {
  const bool room = (std::int64_t(waiting_.size()) + 1) * clusterBlocks_ <= mostTogether_;
  if (waiting_.empty() || (room && (retries_ == 0 || launch_.blocksTakeTurns()))) {
    retries_ = waiting_.size() > 2 ? 64 : 1;
    if (std::unique_ptr<ClusterRun> fresh = begin(spare))
      return fresh;
  }
  if (waiting_.empty())
    return nullptr;
  retries_ -= retries_ > 0 ? 1 : 0;
  std::unique_ptr<ClusterRun> block = std::move(waiting_.front());
  waiting_.pop_front();
  return block;
}

/// The next one of the grid, if there is one that may run.
std::unique_ptr<ClusterRun> GridRun::begin(std::unique_ptr<ClusterRun>& spare) {
  const std::int64_t turn = nextBlock_++;
  const std::int64_t number = turn < clusters_ ? launch_.turnOf(turn) : clusters_;
  if (turn >= clusters_ || launch_.isStopped(number))
    return nullptr;
  std::unique_ptr<ClusterRun> block =
      spare ? std::move(spare) : std::make_unique<ClusterRun>(launch_);
  block->start(number);
  return block;
}

/// A block that waits for others, or has had its turn.
void GridRun::setAside(std::unique_ptr<ClusterRun> block) {
  idleTurns_ = block->progressed() ? 0 : idleTurns_ + 1;
  const bool allStarted = nextBlock_ >= clusters_;
  const bool full = (std::int64_t(waiting_.size()) + 1) * clusterBlocks_ >= mostTogether_;
  const bool nobodyGoesOn = idleTurns_ > roundsThatProveAHang + 4 * waiting_.size();
  if ((allStarted || full) && nobodyGoesOn)
    block->reportHang(!allStarted);
  waiting_.push_back(std::move(block));
}

void GridRun::end(ClusterRun& block, Worker& worker, BlockState state) {
  if (state == BlockState::Faulted)
    block.settle(worker);
  else
    launch_.blocksDone += clusterBlocks_;
  if (launch_.kernel.endsInOrder)
    launch_.sequence.end(launch_.turnOf(block.number()), std::exchange(worker.later, {}),
                         block.takeText());
  lookUp(worker);
}

/// Whether to stop, and how far it is.
void GridRun::lookUp(const Worker& worker) {
  if (worker.reports)
    report();
  if (launch_.settings.stop != nullptr && *launch_.settings.stop)
    launch_.stopAll({FaultKind::Interrupted, "interrupted"});
}

void GridRun::report() {
  if (!launch_.settings.progress || Clock::now() < nextReport_)
    return;
  nextReport_ = Clock::now() + betweenReports;
  const std::uint64_t instructions =
      workers_.front()->counters.threadInstructions * workers_.size();
  launch_.settings.progress({launch_.blocksDone, clusters_ * clusterBlocks_, instructions});
}

void GridRun::finish(profile::KernelProfile& profile) {
  for (const std::unique_ptr<ClusterRun>& block : waiting_) {
    block->settle(*workers_.front());
    if (launch_.kernel.endsInOrder)
      launch_.sequence.end(launch_.turnOf(block->number()), {}, block->takeText());
  }
  // Blocks behind a fault would not have run without other workers.
  const bool isByOrder = !launch_.inTurns && launch_.lastToRun >= 0;
  launch_.sequence.finish(isByOrder ? launch_.lastToRun.load() : clusters_);
  for (const auto& worker : workers_)
    worker->counters.addTo(profile, launch_.kernel);
}

std::vector<DeviceLaunch> GridRun::takeChildren() {
  std::map<std::int64_t, std::vector<DeviceLaunch>> byBlock;
  for (const auto& worker : workers_)
    for (auto& [block, child] : worker->children)
      byBlock[block].push_back(std::move(child));
  std::vector<DeviceLaunch> all;
  for (auto& [block, children] : byBlock)
    std::ranges::move(children, std::back_inserter(all));
  return all;
}

std::vector<profile::Stray> GridRun::takeStrays() const {
  StrayNotes all;
  for (const auto& worker : workers_)
    all.add(worker->strays);
  return all.describe(launch_.kernel, launch_.request, launch_.memory);
}

profile::KernelTrace GridRun::takeTrace(std::uint64_t instructions) {
  profile::KernelTrace trace{&launch_.kernel.shape,
                             {},
                             {},
                             launch_.polled ? launch_.longestOfWork : launch_.longestWarp,
                             0,
                             launch_.polled,
                             launch_.polled ? launch_.polledInstructions.load() : 0};
  launch_.sampling.take(trace, instructions);
  if (trace.ended.blocks > 0)
    std::erase_if(launch_.blockSizes,
                  [&](std::uint64_t size) { return launch_.sampling.isShort(size); });
  trace.variation = variationOf(launch_.blockSizes);
  for (profile::BlockTrace& block : trace.blocks)
    for (profile::WarpTrace& warp : block.warps)
      warp.instructions -= launch_.polled ? warp.polls : 0;
  return trace;
}

} // namespace heddle::engine
