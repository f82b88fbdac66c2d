// SPDX-License-Identifier: Apache-2.0
//
// Blocks, or clusters of them, start in order, as many at once as there are workers. A block that
// waits for memory to change is set aside, and its worker starts another one while the device has
// room, or else goes on with the one that has waited longest.
//
// One worker can run every block, so nothing needs a second one: TBB has fewer threads than there
// are workers where the user asks for more than there are cores, and some workers then start when
// others are done.
#include "engine/Launch.h"

#include "engine/ClusterRun.h"
#include "engine/LaunchState.h"
#include "support/Invariant.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <thread>

namespace heddle::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int mostThreads = 1024;
// About, where there are as many
constexpr std::int64_t mostBlocksThatCount = 24;
constexpr std::int64_t warpsThatCount = 96;
constexpr std::int64_t warpsTracedForLong = 32;
constexpr std::int64_t mostUnevenBlocks = 65536; ///< of more it does not matter how they differ
constexpr std::uint64_t roundsThatProveAHang = 5'000; ///< of each worker, with no progress anywhere
constexpr std::chrono::milliseconds betweenReports{100};

std::int64_t product(const std::array<int, 3>& extent) {
  return std::int64_t{extent[0]} * extent[1] * extent[2];
}

Expected<void> validate(const CompiledKernel& kernel, const LaunchRequest& request) {
  for (const int extent : request.grid)
    if (extent < 1)
      return fail(ErrorKind::BadInput, "a grid of {}: expected at least 1 in every direction",
                  fmt::join(request.grid, ","));
  for (const int extent : request.block)
    if (extent < 1)
      return fail(ErrorKind::BadInput, "a block of {}: expected at least 1 in every direction",
                  fmt::join(request.block, ","));
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (request.cluster[axis] < 1 || request.grid[axis] % request.cluster[axis] != 0)
      return fail(ErrorKind::BadInput,
                  "clusters of {} in a grid of {}: expected a grid of whole ones",
                  fmt::join(request.cluster, ","), fmt::join(request.grid, ","));
  if (product(request.block) > mostThreads)
    return fail(ErrorKind::BadInput, "{} threads per block: expected 1 to {}",
                product(request.block), mostThreads);
  if (request.arguments.size() != kernel.argumentSize())
    return fail(ErrorKind::BadInput, "{} bytes of arguments for kernel '{}': expected {}",
                request.arguments.size(), kernel.name(), kernel.argumentSize());
  return {};
}

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
  const std::int64_t warps = (product(launch.request.block) + warpSize - 1) / warpSize;
  const std::int64_t bytes = warps * launch.kernel.functions.front().frameSize +
                             std::int64_t(launch.request.dynamicShared);
  return std::min(launch.settings.residentBlocks,
                  std::max(fewest, room / std::max<std::int64_t>(bytes, 1)));
}

/// The workers of one launch, and the blocks between them.
class GridRun {
public:
  GridRun(LaunchState& launch, int workers)
      : launch_(launch), clusterBlocks_(launch.request.clusterBlocks()),
        clusters_(product(launch.request.grid) / clusterBlocks_),
        mostTogether_(mostTogether(launch)) {
    workers_.resize(std::size_t(workers));
    idle_ = std::vector<IdleWorker>(std::size_t(workers));
  }

  /// What each worker does.
  void work(std::size_t number) {
    // Made by the thread that uses it: memory of two threads must not lie on one cache line.
    workers_[number] = std::make_unique<Worker>(launch_.kernel);
    Worker& worker = *workers_[number];
    ++running_;
    idle_[number].isRunning = true;
    worker.alone = workers_.size() == 1;
    std::unique_ptr<ClusterRun> spare;
    while (!launch_.stopped) {
      std::unique_ptr<ClusterRun> block = next(spare);
      if (!block)
        break;
      const BlockState state = block->run(worker);
      if (state == BlockState::Faulted) {
        block->settle(worker);
        break;
      }
      if (state == BlockState::TurnOver && !launch_.polled) {
        queue(std::move(block), number);
        continue;
      }
      if (state != BlockState::Finished) {
        worker.sums.giveBack();
        setAside(std::move(block), number);
        continue;
      }
      ++progress_;
      launch_.blocksDone += clusterBlocks_;
      flush(worker);
      if (number == 0)
        report();
      spare = std::move(block);
    }
    worker.sums.end();
    idle_[number].isRunning = false;
    --running_;
  }

  void finish(profile::KernelProfile& profile) {
    for (const std::unique_ptr<ClusterRun>& block : waiting_)
      block->settle(*workers_.front());
    std::map<std::int64_t, std::string> printed; // by block
    for (const auto& worker : workers_) {
      worker->counters.addTo(profile, launch_.kernel);
      for (const auto& [block, text] : worker->printed)
        printed[block] += text;
    }
    for (const auto& [block, text] : printed)
      print(text);
  }

  /// What blocks want to have launched, in their order: that of the workers must not matter.
  std::vector<DeviceLaunch> takeChildren() {
    std::map<std::int64_t, std::vector<DeviceLaunch>> byBlock;
    for (const auto& worker : workers_)
      for (auto& [block, child] : worker->children)
        byBlock[block].push_back(std::move(child));
    std::vector<DeviceLaunch> all;
    for (auto& [block, children] : byBlock)
      std::ranges::move(children, std::back_inserter(all));
    return all;
  }

  /// What the blocks that counted have left, in order.
  profile::KernelTrace takeTrace() {
    profile::KernelTrace trace{&launch_.kernel.shape,
                               std::move(launch_.traces),
                               {},
                               launch_.polled ? launch_.longestOfWork : launch_.longestWarp,
                               variationOf(launch_.blockSizes),
                               launch_.polled,
                               launch_.polled ? launch_.polledInstructions.load() : 0};
    std::ranges::sort(trace.blocks, {}, &profile::BlockTrace::number);
    for (const auto& [key, footprint] : launch_.footprints)
      trace.footprints.push_back(footprint);
    return trace;
  }

private:
  /// The block to run next, or nothing when there is none left for this worker.
  std::unique_ptr<ClusterRun> next(std::unique_ptr<ClusterRun>& spare) {
    if (waitingCount_ == 0) {
      const std::int64_t fresh = nextBlock_++;
      if (fresh < clusters_)
        return begin(fresh, spare);
    }
    const std::scoped_lock lock(mutex_);
    const bool room = residentBlocks() <= mostTogether_;
    if (waiting_.empty() || (room && (retries_ == 0 || launch_.blocksTakeTurns()))) {
      retries_ = waiting_.size() > 2 * workers_.size() ? 64 : 1;
      const std::int64_t fresh = nextBlock_++;
      if (fresh < clusters_)
        return begin(fresh, spare);
    }
    if (waiting_.empty())
      return nullptr;
    retries_ -= retries_ > 0 ? 1 : 0;
    std::unique_ptr<ClusterRun> block = std::move(waiting_.front());
    waiting_.pop_front();
    --waitingCount_;
    return block;
  }

  /// If the running workers have one each.
  std::int64_t residentBlocks() const {
    return (std::int64_t(waiting_.size()) + running_) * clusterBlocks_;
  }

  std::unique_ptr<ClusterRun> begin(std::int64_t number, std::unique_ptr<ClusterRun>& spare) {
    std::unique_ptr<ClusterRun> block =
        spare ? std::move(spare) : std::make_unique<ClusterRun>(launch_);
    block->start(number);
    return block;
  }

  /// A block that has had its turn.
  void queue(std::unique_ptr<ClusterRun> block, std::size_t number) {
    ++progress_;
    if (number == 0)
      report();
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(block));
    ++waitingCount_;
  }

  /// A block that waits for others.
  void setAside(std::unique_ptr<ClusterRun> block, std::size_t number) {
    IdleWorker& self = idle_[number];
    if (block->progressed())
      ++progress_;
    if (const std::uint64_t now = progress_; self.since.exchange(now) != now)
      self.rounds = 0;
    ++self.rounds;
    if (number == 0)
      report();
    if (launch_.settings.stop != nullptr && *launch_.settings.stop)
      launch_.stop({FaultKind::Interrupted, "interrupted"});
    const std::scoped_lock lock(mutex_);
    const bool allStarted = nextBlock_ >= clusters_;
    const bool full = residentBlocks() >= mostTogether_;
    if ((allStarted || full) && nobodyGoesOn())
      block->reportHang(!allStarted);
    waiting_.push_back(std::move(block));
    ++waitingCount_;
  }

  /// Whether every worker that runs has tried all waiting blocks several times since there was
  /// progress. One that has not started could do no more.
  bool nobodyGoesOn() const {
    const std::uint64_t rounds = roundsThatProveAHang + 4 * waiting_.size();
    return std::ranges::all_of(idle_, [&](const IdleWorker& worker) {
      return !worker.isRunning || (worker.since == progress_ && worker.rounds > rounds);
    });
  }

  /// A block that printed a lot does not wait for the end of the launch.
  void flush(Worker& worker) {
    constexpr std::size_t mostLines = 1 << 16;
    if (worker.printed.size() < mostLines)
      return;
    const std::scoped_lock lock(mutex_);
    for (const auto& [block, text] : worker.printed)
      print(text);
    worker.printed.clear();
  }

  void print(std::string_view text) const {
    if (launch_.settings.print)
      launch_.settings.print(text);
  }

  void report() {
    if (!launch_.settings.progress || Clock::now() < nextReport_)
      return;
    nextReport_ = Clock::now() + betweenReports;
    std::uint64_t instructions = 0;
    instructions = workers_.front()->counters.threadInstructions * workers_.size();
    launch_.settings.progress({launch_.blocksDone, clusters_ * clusterBlocks_, instructions});
  }

  LaunchState& launch_;
  std::int64_t clusterBlocks_; ///< of each cluster
  std::int64_t clusters_;
  std::int64_t mostTogether_; ///< blocks that have begun and not ended
  Clock::time_point nextReport_ = Clock::now() + betweenReports;
  std::vector<std::unique_ptr<Worker>> workers_;
  struct IdleWorker {
    std::atomic<std::uint64_t> since = 0;  ///< progress that it has seen
    std::atomic<std::uint64_t> rounds = 0; ///< turns of blocks since then that came to nothing
    std::atomic<bool> isRunning = false;
  };
  std::vector<IdleWorker> idle_;
  std::atomic<std::int64_t> running_ = 0;   ///< workers that have started and not ended
  std::atomic<std::uint64_t> progress_ = 1; ///< grows whenever something gets on
  std::atomic<std::int64_t> nextBlock_ = 0;
  std::atomic<std::size_t> waitingCount_ = 0;
  std::mutex mutex_;
  std::deque<std::unique_ptr<ClusterRun>> waiting_;
  std::size_t retries_ = 0; ///< of waiting blocks before another one starts
};

/// A copy that begins where the argument that wants most alignment may.
class AlignedArguments {
public:
  AlignedArguments(const std::vector<std::byte>& arguments, std::size_t alignment)
      : memory_(arguments.size() + alignment) {
    void* begin = memory_.data();
    std::size_t space = memory_.size();
    aligned_ = {static_cast<std::byte*>(std::align(alignment, arguments.size(), begin, space)),
                arguments.size()};
    std::ranges::copy(arguments, memory_.data() + (aligned_.data() - memory_.data()));
  }
  std::span<const std::byte> get() const { return aligned_; }

private:
  std::vector<std::byte> memory_;
  std::span<const std::byte> aligned_;
};

/// Enough warps to tell how they differ, whole blocks of them; of a large grid more: so few of all
/// its blocks that the run takes no longer.
std::int64_t blocksThatCount(const LaunchRequest& request) {
  const std::int64_t warps = (product(request.block) + warpSize - 1) / warpSize;
  const std::int64_t blocks = product(request.grid);
  const std::int64_t fewOfAll =
      std::max(std::min<std::int64_t>(blocks / 128, 32), std::min<std::int64_t>(blocks / 512, 64));
  return std::max(std::clamp<std::int64_t>(warpsThatCount / warps, 4, mostBlocksThatCount),
                  fewOfAll);
}

std::int64_t deepEvery(const LaunchRequest& request) {
  const std::int64_t warps = (product(request.block) + warpSize - 1) / warpSize;
  const std::int64_t fewOfAll = std::min<std::int64_t>(product(request.grid) / 256, 8);
  const std::int64_t deep =
      std::max(std::clamp<std::int64_t>(warpsTracedForLong / warps, 3, 8), fewOfAll);
  return std::max<std::int64_t>(1, blocksThatCount(request) / deep);
}

int workersFor(const LaunchSettings& settings, std::int64_t clusters, int clusterBlocks,
               bool blocksMeet) {
  if (settings.touches != nullptr || blocksMeet)
    return 1;
  const int wanted =
      settings.workers > 0 ? settings.workers : tbb::this_task_arena::max_concurrency();
  // As on the device
  const std::int64_t together = std::min(clusters, settings.residentBlocks / clusterBlocks);
  return int(std::clamp<std::int64_t>(together, 1, wanted));
}

} // namespace

Expected<LaunchOutcome> launch(const CompiledKernel& kernel, const LaunchRequest& request,
                               const DeviceMemory& memory, const LaunchSettings& settings) {
  HEDDLE_CHECK(validate(kernel, request));
  const auto begin = Clock::now();
  // Where a line of the caches begins: threads that read them touch the same sectors in all runs.
  const AlignedArguments arguments(
      request.arguments, std::max<std::size_t>(kernel.alignmentOfArguments, profile::lineBytes));
  LaunchState state{kernel, request, memory, settings};
  state.arguments = arguments.get();
  state.countEvery = std::max<std::int64_t>(1, product(request.grid) / blocksThatCount(request));
  state.deepEvery = deepEvery(request);
  if (product(request.grid) <= mostUnevenBlocks)
    state.blockSizes.resize(std::size_t(product(request.grid)));
  if (settings.recorder != nullptr)
    settings.recorder->beginLaunch(request.grid);
  const int workers = workersFor(settings, product(request.grid) / request.clusterBlocks(),
                                 request.clusterBlocks(), kernel.blocksMeet);
  GridRun grid(state, workers);
  if (workers == 1)
    grid.work(0);
  else
    tbb::parallel_for(std::size_t{0}, std::size_t(workers),
                      [&](std::size_t number) { grid.work(number); });
  LaunchOutcome outcome{kernel.prototype, {}, {}, {}};
  outcome.sampled = std::move(state.sampled);
  grid.finish(outcome.profile);
  outcome.trace = grid.takeTrace();
  outcome.fault = std::move(state.fault);
  outcome.children = grid.takeChildren();
  outcome.profile.launches = 1;
  outcome.profile.blocks = std::uint64_t(product(request.grid));
  outcome.profile.memoryBlocks =
      std::uint64_t((product(request.grid) + state.countEvery - 1) / state.countEvery);
  outcome.profile.grid = request.grid;
  outcome.profile.block = request.block;
  outcome.profile.dynamicShared = request.dynamicShared;
  outcome.profile.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (settings.account)
    HEDDLE_INVARIANT(outcome.profile.addsUp(),
                     "every lane slot is used or lost to exactly one owner");
  return outcome;
}

} // namespace heddle::engine
