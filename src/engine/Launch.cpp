// SPDX-License-Identifier: Apache-2.0
#include "engine/Launch.h"

#include "engine/WarpRun.h"
#include "support/Invariant.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>

namespace heddle::engine {
namespace {

constexpr std::size_t alignment = 64;
constexpr int mostThreads = 1024;

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using AlignedMemory = std::unique_ptr<std::byte[], Free>;

AlignedMemory allocate(std::size_t size) {
  const std::size_t rounded = (size / alignment + 1) * alignment;
  return AlignedMemory(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
}

std::int64_t product(const std::array<int, 3>& extent) {
  return std::int64_t{extent[0]} * extent[1] * extent[2];
}

profile::LaunchProfile emptyProfile(const CompiledKernel& kernel) {
  profile::LaunchProfile result;
  result.kernel = kernel.name();
  for (const profile::SourceLocation& where : kernel.branches())
    result.branches.push_back({.where = where});
  return result;
}

/// Runs blocks one after the other with memory of its own: one per thread of ours.
class BlockRunner {
public:
  BlockRunner(const CompiledKernel& kernel, const LaunchRequest& request, const AddressMap& memory)
      : kernel_(kernel), request_(request), addresses_(memory), account_(emptyProfile(kernel)),
        threads_(int(product(request.block))), warps_((threads_ + warpSize - 1) / warpSize),
        sharedSize_(kernel.sharedSize() + request.dynamicShared),
        frames_(allocate(std::size_t(warps_) * kernel.frameSize())), shared_(allocate(sharedSize_)),
        local_(allocate(std::size_t(warps_) * warpSize * kernel.localSize())),
        runs_(std::size_t(warps_)) {
    addresses_.add(shared_.get(), sharedSize_);
    addresses_.add(local_.get(), std::size_t(warps_) * warpSize * kernel.localSize());
    for (int warp = 0; warp < warps_; ++warp)
      prepareFrame(warp);
  }

  /// Returns false when the block touched memory it must not; fault() says where.
  bool run(std::int64_t blockNumber) {
    for (int warp = 0; warp < warps_; ++warp) {
      setBlock(*context(warp), blockNumber);
      const int left = threads_ - warp * warpSize;
      const LaneMask existing = left >= warpSize ? allLanes : (LaneMask{1} << left) - 1;
      runs_[std::size_t(warp)].start(kernel_, frame(warp), existing);
    }
    std::vector<bool> finished(std::size_t(warps_), false);
    for (int running = warps_; running > 0;)
      for (int warp = 0; warp < warps_; ++warp) {
        if (finished[std::size_t(warp)])
          continue;
        const WarpState state = runs_[std::size_t(warp)].run(account_);
        if (state == WarpState::Faulted)
          return false;
        if (state == WarpState::Finished) {
          finished[std::size_t(warp)] = true;
          --running;
        }
      }
    return true;
  }

  const profile::LaunchProfile& account() const { return account_; }
  const AccessFault& fault() const { return fault_; }

private:
  std::byte* frame(int warp) { return frames_.get() + std::size_t(warp) * kernel_.frameSize(); }
  WarpContext* context(int warp) { return reinterpret_cast<WarpContext*>(frame(warp)); }

  void prepareFrame(int warp) {
    WarpContext& context = *new (frame(warp)) WarpContext{};
    for (int lane = 0; lane < warpSize; ++lane) {
      const int thread = warp * warpSize + lane;
      context.threadIdx[0][lane] = thread % request_.block[0];
      context.threadIdx[1][lane] = thread / request_.block[0] % request_.block[1];
      context.threadIdx[2][lane] = thread / request_.block[0] / request_.block[1];
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      context.blockDim[axis] = request_.block[axis];
      context.gridDim[axis] = request_.grid[axis];
    }
    context.shared = shared_.get();
    context.arguments = request_.arguments.data();
    context.local = local_.get() + std::size_t(warp) * warpSize * kernel_.localSize();
    context.addresses = &addresses_;
    context.fault = &fault_;
    // No address is in an empty cache but one that no program has.
    auto* caches = reinterpret_cast<SiteCache*>(frame(warp) + kernel_.firstSiteCache());
    for (std::size_t site = 0; site < kernel_.accessSites().size(); ++site)
      caches[site] = {0xdead'0000'0000'0000u, 0};
  }

  void setBlock(WarpContext& context, std::int64_t number) const {
    context.blockIdx[0] = int(number % request_.grid[0]);
    context.blockIdx[1] = int(number / request_.grid[0] % request_.grid[1]);
    context.blockIdx[2] = int(number / request_.grid[0] / request_.grid[1]);
  }

  const CompiledKernel& kernel_;
  const LaunchRequest& request_;
  AddressMap addresses_;
  AccessFault fault_;
  profile::LaunchProfile account_;
  int threads_;
  int warps_;
  std::size_t sharedSize_;
  AlignedMemory frames_;
  AlignedMemory shared_;
  AlignedMemory local_;
  std::vector<WarpRun> runs_;
};

Expected<void> validate(const CompiledKernel& kernel, const LaunchRequest& request) {
  for (const int extent : request.grid)
    if (extent < 1)
      return fail(ErrorKind::BadInput, "a grid of {}: expected at least 1 in every direction",
                  fmt::join(request.grid, ","));
  for (const int extent : request.block)
    if (extent < 1)
      return fail(ErrorKind::BadInput, "a block of {}: expected at least 1 in every direction",
                  fmt::join(request.block, ","));
  if (product(request.block) > mostThreads)
    return fail(ErrorKind::BadInput, "{} threads per block: expected 1 to {}",
                product(request.block), mostThreads);
  if (request.arguments.size() != kernel.argumentSize())
    return fail(ErrorKind::BadInput, "{} bytes of arguments for kernel '{}': expected {}",
                request.arguments.size(), kernel.name(), kernel.argumentSize());
  return {};
}

tl::unexpected<Error> faultError(const CompiledKernel& kernel, const AccessFault& fault) {
  const profile::SourceLocation& where = kernel.accessSites()[fault.site];
  return fail(ErrorKind::BadInput,
              "{}:{}: kernel '{}' touches address {:#x}, which is in no live memory (lane {})",
              where.file.empty() ? "unknown place" : where.file, where.line, kernel.name(),
              fault.address, fault.lane);
}

} // namespace

Expected<profile::LaunchProfile> launch(const CompiledKernel& kernel, const LaunchRequest& request,
                                        const AddressMap& memory) {
  HEDDLE_CHECK(validate(kernel, request));
  AddressMap addresses = memory;
  for (const CompiledKernel::Variable& variable : kernel.variables())
    addresses.add(variable.address, variable.size);
  addresses.add(request.arguments.data(), request.arguments.size());
  const auto begin = std::chrono::steady_clock::now();
  tbb::enumerable_thread_specific<std::unique_ptr<BlockRunner>> runners;
  std::atomic<const BlockRunner*> faulted = nullptr;
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, product(request.grid)),
                    [&](const tbb::blocked_range<std::int64_t>& range) {
                      std::unique_ptr<BlockRunner>& runner = runners.local();
                      if (!runner)
                        runner = std::make_unique<BlockRunner>(kernel, request, addresses);
                      for (auto block = range.begin(); block != range.end() && !faulted; ++block)
                        if (!runner->run(block))
                          faulted = runner.get();
                    });
  if (faulted)
    return faultError(kernel, faulted.load()->fault());
  profile::LaunchProfile total = emptyProfile(kernel);
  for (const auto& runner : runners)
    if (runner)
      total.add(runner->account());
  total.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  HEDDLE_INVARIANT(total.addsUp(), "every lane slot is used or lost to exactly one owner");
  return total;
}

} // namespace heddle::engine
