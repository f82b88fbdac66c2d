// SPDX-License-Identifier: Apache-2.0
#include "engine/DeviceMemory.h"

#include <algorithm>
#include <iterator>

namespace heddle::engine {
namespace {

constexpr std::size_t mostFreed = 4096;
constexpr std::uint64_t placeUnit = 256; ///< more than a line of the caches

std::uint64_t inUnits(std::uint64_t place, std::uint64_t size) {
  return (place % placeUnit + size + placeUnit - 1) / placeUnit * placeUnit;
}

} // namespace

std::uint64_t DevicePlaces::take(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t bytes = inUnits(address, size);
  const auto found =
      std::ranges::find_if(free_, [&](const auto& range) { return range.second >= bytes; });
  if (found == free_.end()) {
    end_ += bytes;
    return end_ - bytes + address % placeUnit;
  }
  const auto [begin, length] = *found;
  free_.erase(found);
  if (length > bytes)
    free_[begin + bytes] = length - bytes;
  return begin + address % placeUnit;
}

void DevicePlaces::giveBack(std::uint64_t place, std::uint64_t size) {
  std::uint64_t begin = place - place % placeUnit, length = inUnits(place, size);
  auto after = free_.lower_bound(begin);
  if (after != free_.end() && after->first == begin + length) {
    length += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == begin) {
      begin = before->first;
      length += before->second;
      free_.erase(before);
    }
  }
  if (begin + length == end_)
    end_ = begin;
  else
    free_[begin] = length;
}

void DeviceMemory::add(const void* begin, std::size_t size, std::string what) {
  if (size == 0)
    return;
  const auto address = reinterpret_cast<std::uint64_t>(begin);
  live_[address] = {address, size, std::move(what), places_.take(address, size)};
  liveBytes_ += size;
}

bool DeviceMemory::remove(const void* begin) {
  const auto found = live_.find(reinterpret_cast<std::uint64_t>(begin));
  if (found == live_.end())
    return false;
  liveBytes_ -= found->second.size;
  places_.giveBack(found->second.place, found->second.size);
  if (freed_.size() == mostFreed)
    freed_.erase(freed_.begin(), freed_.begin() + mostFreed / 2);
  freed_.push_back(std::move(found->second));
  live_.erase(found);
  return true;
}

void* DeviceHeap::allocate(std::size_t size) {
  const std::scoped_lock lock(mutex_);
  if (size > limit_ - bytes_)
    return nullptr;
  used_ = true;
  auto piece = std::make_unique<Line[]>(size / sizeof(Line) + 1);
  void* const begin = piece.get();
  pieces_[reinterpret_cast<std::uint64_t>(begin)] = {size, std::move(piece)};
  bytes_ += size;
  return begin;
}

bool DeviceHeap::release(const void* begin) {
  const std::scoped_lock lock(mutex_);
  const auto found = pieces_.find(reinterpret_cast<std::uint64_t>(begin));
  if (found == pieces_.end())
    return false;
  bytes_ -= found->second.first;
  pieces_.erase(found);
  return true;
}

std::optional<Allocation> DeviceHeap::find(std::uint64_t address, std::uint64_t size) const {
  if (!used_)
    return std::nullopt;
  const std::scoped_lock lock(mutex_);
  auto above = pieces_.upper_bound(address);
  if (above == pieces_.begin())
    return std::nullopt;
  const auto& [begin, piece] = *--above;
  const bool inside = address - begin < piece.first && size <= piece.first - (address - begin);
  return inside ? std::optional(Allocation{begin, piece.first, "device malloc"}) : std::nullopt;
}

const Allocation* DeviceMemory::before(std::uint64_t address) const {
  auto above = live_.upper_bound(address);
  return above == live_.begin() ? nullptr : &(--above)->second;
}

const Allocation* DeviceMemory::after(std::uint64_t address) const {
  const auto above = live_.upper_bound(address);
  return above == live_.end() ? nullptr : &above->second;
}

const Allocation* DeviceMemory::find(std::uint64_t address, std::uint64_t size) const {
  const Allocation* candidate = before(address);
  if (candidate == nullptr)
    return nullptr;
  const std::uint64_t offset = address - candidate->begin;
  const bool inside = offset < candidate->size && size <= candidate->size - offset;
  return inside ? candidate : nullptr;
}

const Allocation* DeviceMemory::freed(std::uint64_t address) const {
  const auto found = std::find_if(freed_.rbegin(), freed_.rend(), [&](const Allocation& old) {
    return address - old.begin < old.size;
  });
  return found == freed_.rend() ? nullptr : &*found;
}

} // namespace heddle::engine
