// SPDX-License-Identifier: Apache-2.0
#include "engine/FixedMemory.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>

#include <sys/mman.h>
#include <unistd.h>

namespace heddle::engine {
namespace {

constexpr std::size_t slabBytes = std::size_t{4} << 20;
constexpr std::uintptr_t reach = std::uintptr_t{1} << 44; ///< bytes from the first address on

std::size_t roundUp(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::size_t inPages(std::size_t length) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return roundUp(length, page);
}

/// The size of the blocks that serve a length: four sizes between two powers of two, so that at
/// most a fifth of a block is nobody's.
std::size_t sizeOf(std::size_t length) {
  const std::size_t step = std::bit_floor(std::max<std::size_t>(length, 1)) / 4;
  return roundUp(std::max<std::size_t>(length, 1), std::max(step, FixedMemory::blockAlignment));
}

void* mapAt(void* where, std::size_t length, int flags) {
  void* const pages = mmap(where, length, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

} // namespace

FixedMemory::~FixedMemory() {
  for (auto* const kind : {&full_, &open_})
    for (auto& [size, slabs] : *kind)
      for (auto& [begin, slab] : slabs)
        munmap(begin, slabBytes);
}

/// Nullptr where the addresses are used up.
std::byte* FixedMemory::takeRange(std::size_t length) {
  const auto found =
      std::ranges::find_if(ranges_, [&](const auto& range) { return range.second >= length; });
  if (found == ranges_.end()) {
    if (length > reach - (end_ - begin_))
      return nullptr;
    end_ += length;
    return reinterpret_cast<std::byte*>(end_ - length);
  }
  const auto [begin, size] = *found;
  ranges_.erase(found);
  if (size > length)
    ranges_[begin + length] = size - length;
  return reinterpret_cast<std::byte*>(begin);
}

void FixedMemory::giveBackRange(std::byte* range, std::size_t length) {
  auto begin = reinterpret_cast<std::uintptr_t>(range);
  auto after = ranges_.lower_bound(begin);
  if (after != ranges_.end() && after->first == begin + length) {
    length += after->second;
    after = ranges_.erase(after);
  }
  if (after != ranges_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == begin) {
      begin = before->first;
      length += before->second;
      ranges_.erase(before);
    }
  }
  if (begin + length == end_)
    end_ = begin;
  else
    ranges_[begin] = length;
}

std::byte* FixedMemory::mapPages(std::size_t length) {
  std::byte* const wanted = takeRange(length);
  if (wanted != nullptr) {
    void* const pages = mapAt(wanted, length, MAP_FIXED_NOREPLACE);
    if (pages != nullptr) {
      if (pages != wanted) // a system that takes the address for a hint
        giveBackRange(wanted, length);
      return static_cast<std::byte*>(pages);
    }
    giveBackRange(wanted, length);
  }
  return static_cast<std::byte*>(mapAt(nullptr, length, 0));
}

void FixedMemory::unmapPages(std::byte* pages, std::size_t length) {
  munmap(pages, length);
  const auto begin = reinterpret_cast<std::uintptr_t>(pages);
  if (begin >= begin_ && begin < end_)
    giveBackRange(pages, length);
}

std::byte* FixedMemory::takePages(std::size_t length) {
  const std::scoped_lock lock(mutex_);
  return mapPages(inPages(length));
}

void FixedMemory::giveBackPages(std::byte* pages, std::size_t length) {
  const std::scoped_lock lock(mutex_);
  unmapPages(pages, inPages(length));
}

std::byte* FixedMemory::takeBlock(std::size_t length) {
  assert(length <= largestBlock && "larger ones have pages of their own");
  const std::scoped_lock lock(mutex_);
  const std::size_t size = sizeOf(length);
  Slabs& open = open_[size];
  if (open.empty()) {
    std::byte* const pages = mapPages(slabBytes);
    if (pages == nullptr)
      return nullptr;
    open[pages] = {};
  }
  auto& [begin, slab] = *open.begin();
  std::byte* block = begin + slab.untouched;
  if (slab.free.empty()) {
    slab.untouched += size;
  } else {
    block = slab.free.back();
    slab.free.pop_back();
  }
  ++slab.taken;
  if (slab.free.empty() && slab.untouched + size > slabBytes)
    full_[size].insert(open.extract(open.begin()));
  return block;
}

void FixedMemory::giveBackBlock(std::byte* block, std::size_t length) {
  const std::scoped_lock lock(mutex_);
  const std::size_t size = sizeOf(length);
  const auto holderIn = [&](Slabs& slabs) {
    const auto above = slabs.upper_bound(block);
    const auto found = above == slabs.begin() ? slabs.end() : std::prev(above);
    return found != slabs.end() && block < found->first + slabBytes ? found : slabs.end();
  };
  Slabs &full = full_[size], &open = open_[size];
  auto holder = holderIn(open);
  if (holder == open.end()) {
    const auto found = holderIn(full);
    assert(found != full.end() && "a block that was taken here");
    holder = open.insert(full.extract(found)).position;
  }
  holder->second.free.push_back(block);
  if (--holder->second.taken == 0 && open.size() > 1)
    dropSlab(size, holder);
}

void FixedMemory::dropSlab(std::size_t size, Slabs::iterator slab) {
  std::byte* const begin = slab->first;
  open_[size].erase(slab);
  unmapPages(begin, slabBytes);
}

} // namespace heddle::engine
