// SPDX-License-Identifier: Apache-2.0
//
// Three sizes of blocks, all at addresses that are the same in every run:
//   1. below 1 MiB: side by side, filled at once; pages where the host is kept out of them
//   2. below 256 MiB: pages, filled at once
//   3. above: pages that nobody fills. Poison is then one file of poison in memory, mapped again
//      and again, each page copied when it is first written; so a program that takes all of a GPU's
//      141 GB runs on a small machine if it uses little of it.
#include "cudart/RawMemory.h"

#include "engine/FixedMemory.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <sys/mman.h>
#include <unistd.h>

namespace heddle::cudart {
namespace {

constexpr std::size_t gap = allocationAlignment;
constexpr std::size_t smallestLazy = std::size_t{256} << 20;
constexpr std::size_t tileBytes = std::size_t{32} << 20;

std::size_t roundUp(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Never destroyed: the program frees memory in its own destructors.
engine::FixedMemory& places() {
  static auto* const memory = new engine::FixedMemory(engine::FixedMemory::ofAllocations);
  return *memory;
}

/// A file of tileBytes that holds poison; -1 where the system has none to give.
int poisonFile() {
  static const int file = [] {
    const int created = memfd_create("heddle-poison", MFD_CLOEXEC);
    if (created < 0 || ftruncate(created, tileBytes) != 0)
      return -1;
    void* const tile = mmap(nullptr, tileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, created, 0);
    if (tile == MAP_FAILED)
      return -1;
    std::memset(tile, poisonByte, tileBytes);
    munmap(tile, tileBytes);
    return created;
  }();
  return file;
}

bool mapPoison(std::byte* begin, std::size_t length) {
  const int file = poisonFile();
  if (file < 0)
    return false;
  for (std::size_t done = 0; done < length; done += tileBytes)
    if (mmap(begin + done, std::min(tileBytes, length - done), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, file, 0) == MAP_FAILED)
      return false;
  return true;
}

RawBlock allocatePages(std::size_t size, Fill fill) {
  RawBlock block;
  block.mapped = true;
  block.length = roundUp(size + gap, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  block.begin = places().takePages(block.length);
  if (block.begin == nullptr || fill == Fill::Zero)
    return block;
  if (size < smallestLazy) {
    std::memset(block.begin, poisonByte, block.length);
  } else if (!mapPoison(block.begin, block.length)) {
    releaseRaw(block);
    block.begin = nullptr;
  }
  return block;
}

} // namespace

RawBlock allocateRaw(std::size_t size, Fill fill, bool ownPages) {
  if (size > std::numeric_limits<std::ptrdiff_t>::max() / 2)
    return {};
  RawBlock block;
  block.length = roundUp(size, allocationAlignment) + gap;
  if (ownPages || block.length > engine::FixedMemory::largestBlock)
    return allocatePages(size, fill);
  block.begin = places().takeBlock(block.length);
  if (block.begin != nullptr)
    std::memset(block.begin, fill == Fill::Poison ? poisonByte : 0, block.length);
  return block;
}

void releaseRaw(const RawBlock& block) {
  if (block.mapped)
    places().giveBackPages(block.begin, block.length);
  else
    places().giveBackBlock(block.begin, block.length);
}

} // namespace heddle::cudart
