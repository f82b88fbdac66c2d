// SPDX-License-Identifier: Apache-2.0
#include "engine/DeviceMemory.h"

#include "profile/KernelTrace.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace heddle::engine {
namespace {

constexpr std::size_t mostFreed = 4096;
constexpr std::uint64_t placeUnit = 256; ///< more than a line of the caches

std::uint64_t inUnits(std::uint64_t place, std::uint64_t size) {
  return (place % placeUnit + size + placeUnit - 1) / placeUnit * placeUnit;
}

/// What a piece of the heap takes. No two share a line of the caches, and behind each is a byte
/// that is nobody's.
std::size_t bytesOfPiece(std::size_t size) {
  return (size / profile::lineBytes + 1) * profile::lineBytes;
}

bool isBlock(std::size_t size) {
  return bytesOfPiece(size) <= FixedMemory::largestBlock;
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

void DeviceMemory::add(const void* begin, std::size_t size, std::string what, bool onHost) {
  if (size == 0)
    return;
  const auto address = reinterpret_cast<std::uint64_t>(begin);
  live_[address] = {address, size, std::move(what), places_.take(address, size), onHost};
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

DeviceHeap::~DeviceHeap() {
  for (const auto& [begin, size] : pieces_)
    drop(begin, size);
}

void* DeviceHeap::allocate(std::size_t size) {
  const std::scoped_lock lock(mutex_);
  if (size > limit_ - bytes_)
    return nullptr;
  const std::size_t bytes = bytesOfPiece(size);
  std::byte* const begin = isBlock(size) ? memory_.takeBlock(bytes) : memory_.takePages(bytes);
  if (begin == nullptr)
    return nullptr;
  if (isBlock(size))
    std::memset(begin, 0, bytes);
  used_ = true;
  pieces_[reinterpret_cast<std::uint64_t>(begin)] = size;
  bytes_ += size;
  return begin;
}

void DeviceHeap::drop(std::uint64_t begin, std::size_t size) {
  auto* const memory = reinterpret_cast<std::byte*>(begin);
  if (isBlock(size))
    memory_.giveBackBlock(memory, bytesOfPiece(size));
  else
    memory_.giveBackPages(memory, bytesOfPiece(size));
}

bool DeviceHeap::release(const void* begin) {
  const std::scoped_lock lock(mutex_);
  const auto found = pieces_.find(reinterpret_cast<std::uint64_t>(begin));
  if (found == pieces_.end())
    return false;
  bytes_ -= found->second;
  drop(found->first, found->second);
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
  const auto [begin, length] = *--above;
  const bool inside = address - begin < length && size <= length - (address - begin);
  return inside ? std::optional(Allocation{begin, length, "device malloc"}) : std::nullopt;
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
