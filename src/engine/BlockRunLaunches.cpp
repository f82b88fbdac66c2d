// SPDX-License-Identifier: Apache-2.0
//
// Launches that device code asks for: first a buffer for the arguments, which the thread fills,
// then the launch itself. They are kept until the grid has ended (DeviceLaunch).
#include "engine/BlockRun.h"

#include <algorithm>

namespace heddle::engine {
namespace {

constexpr std::uint32_t invalidConfiguration = 9; ///< cudaErrorInvalidConfiguration

bool isPossible(const LaunchRequest& request) {
  const auto isPositive = [](int size) { return size > 0; };
  const auto& block = request.block;
  return std::ranges::all_of(request.grid, isPositive) && std::ranges::all_of(block, isPositive) &&
         block[0] <= 1024 && block[1] <= 1024 && block[2] <= 64 &&
         block[0] * block[1] * block[2] <= 1024;
}

} // namespace

int BlockRun::threadOf(const WarpContext& warp, int lane) const {
  return int(&warp - contexts_.data()) * warpSize + lane;
}

std::uint64_t BlockRun::childBuffer(WarpContext& warp, unsigned site, int lane,
                                    std::uint64_t kernel, const DeviceLaunch& shape) {
  if (warp.faulted)
    return 0;
  const auto known = launch_.kernel.launchable.find(kernel);
  if (known == launch_.kernel.launchable.end()) {
    fault(warp, FaultKind::IllegalAddress,
          fmt::format("{}{} launches {:#x}, which is no kernel of the program", place(int(site)),
                      who(warp, lane), kernel));
    return 0;
  }
  if (!isPossible(shape.request)) {
    lastErrors_[threadOf(warp, lane)] = invalidConfiguration;
    return 0;
  }
  const unsigned size = known->second.argumentSize;
  const auto buffer = reinterpret_cast<std::uint64_t>(allocate(std::max(size, 1u)));
  if (buffer == 0) {
    fault(
        warp, FaultKind::Trap,
        fmt::format("{}{} launches '{}', for whose arguments the heap of device code has no room; "
                    "raise cudaLimitMallocHeapSize",
                    place(int(site)), who(warp, lane), known->second.symbol));
    return 0;
  }
  DeviceLaunch& child = prepared_[buffer] = shape;
  child.kernel = known->second.symbol;
  child.request.arguments.resize(size);
  return buffer;
}

void BlockRun::launchChild(WarpContext& warp, unsigned site, int lane, std::uint64_t buffer,
                           std::uint64_t stream) {
  if (warp.faulted)
    return;
  const auto found = prepared_.find(buffer);
  if (found == prepared_.end())
    return fault(warp, FaultKind::IllegalAddress,
                 fmt::format("{}{} launches with the parameters at {:#x}, which is no parameter "
                             "buffer that it was given",
                             place(int(site)), who(warp, lane), buffer));
  DeviceLaunch child = std::move(found->second);
  prepared_.erase(found);
  const auto* begin = reinterpret_cast<const std::byte*>(buffer);
  std::copy_n(begin, child.request.arguments.size(), child.request.arguments.begin());
  release(warp, lane, begin);
  child.stream = stream;
  child.where = place(int(site));
  children_.push_back(std::move(child));
}

std::uint32_t BlockRun::lastError(const WarpContext& warp, int lane, bool clear) {
  const auto found = lastErrors_.find(threadOf(warp, lane));
  if (found == lastErrors_.end())
    return 0;
  const std::uint32_t error = found->second;
  if (clear)
    lastErrors_.erase(found);
  return error;
}

} // namespace heddle::engine
