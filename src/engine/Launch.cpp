// SPDX-License-Identifier: Apache-2.0
//
// Which blocks count, how many workers there are, and whether blocks need turns.
#include "engine/Launch.h"

#include "engine/GridRun.h"
#include "engine/LaunchState.h"
#include "support/Invariant.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

namespace heddle::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int mostThreads = 1024;
// About, where there are as many
constexpr std::int64_t mostBlocksThatCount = 24;
constexpr std::int64_t warpsThatCount = 96;
constexpr std::int64_t warpsTracedForLong = 32;
constexpr std::int64_t mostUnevenBlocks = 65536; ///< of more it does not matter how they differ

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
  if (request.threads() > mostThreads)
    return fail(ErrorKind::BadInput, "{} threads per block: expected 1 to {}", request.threads(),
                mostThreads);
  if (request.arguments.size() != kernel.argumentSize())
    return fail(ErrorKind::BadInput, "{} bytes of arguments for kernel '{}': expected {}",
                request.arguments.size(), kernel.name(), kernel.argumentSize());
  return {};
}

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
  const std::int64_t warps = (request.threads() + warpSize - 1) / warpSize;
  const std::int64_t blocks = request.blocks();
  const std::int64_t fewOfAll =
      std::max(std::min<std::int64_t>(blocks / 128, 32), std::min<std::int64_t>(blocks / 512, 64));
  return std::max(std::clamp<std::int64_t>(warpsThatCount / warps, 4, mostBlocksThatCount),
                  fewOfAll);
}

std::int64_t deepEvery(const LaunchRequest& request) {
  const std::int64_t warps = (request.threads() + warpSize - 1) / warpSize;
  const std::int64_t fewOfAll = std::min<std::int64_t>(request.blocks() / 256, 8);
  const std::int64_t deep =
      std::max(std::clamp<std::int64_t>(warpsTracedForLong / warps, 3, 8), fewOfAll);
  return std::max<std::int64_t>(1, blocksThatCount(request) / deep);
}

/// Whether blocks can tell in which order they run (analysis/BlockOrder.h).
bool needTurns(const LaunchState& launch) {
  const auto allocationAt = [&](unsigned place) -> const Allocation* {
    std::uint64_t address = 0;
    if (place + sizeof address > launch.arguments.size())
      return nullptr;
    std::memcpy(&address, launch.arguments.data() + place, sizeof address);
    return launch.memory.find(address, 1);
  };
  const CompiledKernel& kernel = launch.kernel;
  return kernel.needsTurns ||
         std::ranges::any_of(kernel.needsTurnsIfTogether, [&](const auto& two) {
           const Allocation* one = allocationAt(two.first);
           return one != nullptr && one == allocationAt(two.second);
         });
}

int workersFor(const LaunchState& launch) {
  const LaunchSettings& settings = launch.settings;
  if (settings.touches != nullptr || launch.inTurns)
    return 1;
  const int clusterBlocks = launch.request.clusterBlocks();
  const std::int64_t clusters = launch.request.blocks() / clusterBlocks;
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
  const std::int64_t countEvery =
      std::max<std::int64_t>(1, request.blocks() / blocksThatCount(request));
  LaunchState state{kernel, request, memory, settings, {request, countEvery, deepEvery(request)}};
  state.arguments = arguments.get();
  if (request.blocks() <= mostUnevenBlocks)
    state.blockSizes.resize(std::size_t(request.blocks()));
  if (settings.recorder != nullptr)
    settings.recorder->beginLaunch(request.grid);
  state.inTurns = needTurns(state);
  const int workers = workersFor(state);
  GridRun grid(state, workers);
  if (workers == 1)
    grid.work(0);
  else
    tbb::parallel_for(std::size_t{0}, std::size_t(workers),
                      [&](std::size_t number) { grid.work(number); });
  LaunchOutcome outcome{kernel.prototype, {}, {}, {}};
  outcome.sampled = std::move(state.sampled);
  grid.finish(outcome.profile);
  outcome.trace = grid.takeTrace(outcome.profile.warpInstructions);
  outcome.fault = std::move(state.fault);
  outcome.children = grid.takeChildren();
  if (!outcome.fault)
    outcome.strays = grid.takeStrays();
  outcome.profile.launches = 1;
  outcome.profile.blocks = std::uint64_t(request.blocks());
  outcome.profile.memoryBlocks = std::uint64_t((request.blocks() + countEvery - 1) / countEvery);
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
