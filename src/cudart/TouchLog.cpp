// SPDX-License-Identifier: Apache-2.0
#include "cudart/TouchLog.h"

#include "cudart/CallPlace.h"

#include <algorithm>

namespace heddle::cudart {
namespace {

std::array<std::uint64_t, 3> coordinates(std::uint64_t number, const std::array<int, 3>& extent) {
  const auto width = std::uint64_t(extent[0]), height = std::uint64_t(extent[1]);
  return {number % width, number / width % height, number / width / height};
}

profile::ThreadAccess describe(engine::Touch touch, const engine::CompiledKernel& kernel,
                               const engine::LaunchRequest& request) {
  const engine::FaultSite& site = kernel.faultSites[touch.site];
  const auto threads =
      std::uint64_t(request.block[0]) * std::uint64_t(request.block[1] * request.block[2]);
  return {.where = site.site.where,
          .access = site.kind,
          .thread = touch.thread,
          .block = coordinates(touch.thread / threads, request.grid),
          .threadInBlock = coordinates(touch.thread % threads, request.block)};
}

profile::TouchedTwice describe(const engine::TouchConflict& conflict,
                               const engine::CompiledKernel& kernel,
                               const engine::LaunchRequest& request) {
  return {.region = "shared memory",
          .offset = conflict.address,
          .first = describe(conflict.first, kernel, request),
          .second = describe(conflict.second, kernel, request)};
}

std::string describeWriter(const profile::ThreadAccess& access, const std::string& kernel) {
  const std::string place =
      access.where.file.empty() ? "" : fmt::format("{}:{}: ", access.where.file, access.where.line);
  return fmt::format("{}kernel '{}', block ({}), thread ({})", place, kernel,
                     fmt::join(access.block, ","), fmt::join(access.threadInBlock, ","));
}

} // namespace

std::optional<std::uint64_t> TouchLog::watchedAddress(const Memory& memory) const {
  if (!watched_)
    return std::nullopt;
  const auto found = std::ranges::find(memory.regions(), watched_->region,
                                       [](const auto& entry) { return entry.second.name; });
  if (found == memory.regions().end() || watched_->offset >= found->second.size)
    return std::nullopt;
  return found->first + watched_->offset;
}

std::optional<engine::LaunchTouches> TouchLog::ask(const engine::CompiledKernel& kernel,
                                                   const Memory& memory) const {
  const auto known = numbers_.find(&kernel);
  engine::LaunchTouches touches;
  touches.inGlobal = independence_ && (known == numbers_.end() || !kernels_[known->second].global);
  touches.inShared = independence_ && (known == numbers_.end() || !kernels_[known->second].shared);
  touches.watched = watchedAddress(memory);
  if (!touches.inGlobal && !touches.inShared && !touches.watched)
    return std::nullopt;
  return touches;
}

void TouchLog::add(const std::string& id, const engine::CompiledKernel& kernel,
                   const engine::LaunchRequest& request, const Memory& memory,
                   const engine::LaunchTouches* answer) {
  const auto [known, isNew] = numbers_.try_emplace(&kernel, kernels_.size());
  if (isNew)
    kernels_.push_back({.id = id, .kernel = kernel.name()});
  profile::KernelTouches& to = kernels_[known->second];
  ++to.launches;
  if (answer == nullptr)
    return;
  if (answer->lastWrite)
    lastWriter_ = describeWriter(describe(*answer->lastWrite, kernel, request), kernel.name());
  if (answer->shared)
    to.shared = describe(*answer->shared, kernel, request);
  if (!answer->global)
    return;
  to.global = describe(*answer->global, kernel, request);
  const engine::Allocation* const region = memory.live().find(answer->global->address, 1);
  to.global->region = region == nullptr ? "device malloc" : region->what;
  to.global->offset = region == nullptr ? 0 : answer->global->address - region->begin;
}

bool TouchLog::watchesInside(const Memory& memory, const void* begin, std::size_t size) const {
  const auto address = watchedAddress(memory);
  return address && *address - reinterpret_cast<std::uint64_t>(begin) < size;
}

void TouchLog::hostWrote(const Memory& memory, const void* begin, std::size_t size) {
  if (watchesInside(memory, begin, size))
    lastWriter_ = callersPlace() + "the host, by a copy or a fill";
}

} // namespace heddle::cudart
