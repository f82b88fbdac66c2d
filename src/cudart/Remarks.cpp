// SPDX-License-Identifier: Apache-2.0
#include "cudart/Remarks.h"

#include "cudart/HostGuard.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heddle::cudart {
namespace {

constexpr std::size_t mostRemarks = 1000;

std::string_view bytesWord(std::size_t size) {
  return size == 1 ? "byte" : "bytes";
}

} // namespace

Remarks& Remarks::instance() {
  static Remarks* const remarks = new Remarks;
  return *remarks;
}

void Remarks::failed(int status, const char* text, const char* name) {
  Failure failure{
      .place = CallPlace::here(), .status = status, .text = fmt::format("{} ({})", text, name)};
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find_if(failures_, [&](const Failure& each) {
    return each.status == status && !each.lookedAt && each.place == failure.place;
  });
  if (known != failures_.end())
    ++known->count;
  else if (failures_.size() < mostRemarks)
    failures_.push_back(std::move(failure));
}

void Remarks::lookedAtLast() {
  const std::lock_guard lock(mutex_);
  for (Failure& failure : failures_)
    failure.lookedAt = true;
}

void Remarks::lookedAt(int status) {
  const std::lock_guard lock(mutex_);
  for (Failure& failure : failures_)
    failure.lookedAt |= failure.status == status;
}

void Remarks::allocated(const void* begin) {
  const std::lock_guard lock(mutex_);
  if (allocations_.size() < mostRemarks)
    allocations_[begin] = CallPlace::here();
}

void Remarks::freed(const void* begin) {
  const std::lock_guard lock(mutex_);
  allocations_.erase(begin);
}

namespace {

/// The host's first touch of device memory.
std::optional<profile::Remark> touchRemark(const Memory& memory) {
  const HostGuard::Touch touch = HostGuard::instance().touch();
  if (touch.instruction == nullptr)
    return std::nullopt;
  CallPlace place;
  place.frames[0] = reinterpret_cast<std::uintptr_t>(touch.instruction);
  const Region* const region = memory.find(touch.address);
  return profile::Remark{"host-access",
                         fmt::format("the host touches device memory{}: with a GPU it would crash",
                                     region != nullptr ? ", " + region->name : ""),
                         place.find()};
}

} // namespace

std::vector<profile::Remark> Remarks::list(const Memory& memory) {
  const std::lock_guard lock(mutex_);
  std::vector<profile::Remark> remarks;
  for (const Failure& failure : failures_)
    if (!failure.lookedAt)
      remarks.push_back({"failed-call",
                         fmt::format("{} failed: {}",
                                     failure.place.function != nullptr ? failure.place.function
                                                                       : "a call of the runtime",
                                     failure.text),
                         failure.place.find(), failure.count});
  if (auto touch = touchRemark(memory))
    remarks.push_back(*std::move(touch));
  std::map<std::uint64_t, const Region*> leaks; // in the order of their making
  for (const auto& [begin, region] : memory.regions())
    if (allocations_.contains(region.begin) && region.block.begin != nullptr)
      leaks[region.made] = &region;
  for (const auto& [made, region] : leaks)
    remarks.push_back({"leak",
                       fmt::format("{} ({} {}) is never freed", region->name, region->size,
                                   bytesWord(region->size)),
                       allocations_.at(region->begin).find()});
  return remarks;
}

} // namespace heddle::cudart
