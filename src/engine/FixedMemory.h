// SPDX-License-Identifier: Apache-2.0
//
// Memory at addresses that are the same in every run: they begin at a fixed one and follow from the
// order in which memory is taken and given back. So a pointer that a program prints, stores or
// hashes is the same in two runs, and in another form of the program that allocates alike.
//
//   1. Pages: the first free range of the address space that is large enough.
//   2. Blocks below 1 MiB: each size has slabs of 4 MiB, of which blocks are taken from the lowest
//      with room. A slab without blocks goes, unless it is the last of its size with room.
//
// Where the system has something else at such an address, or no such addresses, memory lies
// anywhere, as it would without this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace heddle::engine {

/// Any thread may use it; whether addresses are the same is then up to the order of the threads.
class FixedMemory {
public:
  static constexpr std::size_t largestBlock = std::size_t{1} << 20;
  static constexpr std::size_t blockAlignment = 256;

  /// Where each kind of memory begins; 16 TiB and more apart.
  static constexpr std::uintptr_t ofAllocations = 0x2000'0000'0000;
  static constexpr std::uintptr_t ofDeviceHeap = 0x3000'0000'0000;

  /// Whether only allocations lie there.
  static constexpr bool isForAllocations(std::uintptr_t address) {
    return address >= ofAllocations && address < ofDeviceHeap;
  }

  explicit FixedMemory(std::uintptr_t begin) : begin_(begin), end_(begin) {}
  FixedMemory(const FixedMemory&) = delete;
  ~FixedMemory(); ///< gives back all slabs

  /// Whole pages of zeros. Nullptr: the machine has no memory.
  std::byte* takePages(std::size_t length);
  void giveBackPages(std::byte* pages, std::size_t length);

  /// At most `largestBlock` bytes, which hold anything.
  std::byte* takeBlock(std::size_t length);
  void giveBackBlock(std::byte* block, std::size_t length);

private:
  struct Slab {
    std::size_t untouched = 0;    ///< the first byte behind all blocks that were ever taken
    std::vector<std::byte*> free; ///< given back, the last one first
    std::size_t taken = 0;        ///< blocks
  };
  using Slabs = std::map<std::byte*, Slab>; ///< by address

  std::byte* takeRange(std::size_t length);
  void giveBackRange(std::byte* range, std::size_t length);
  std::byte* mapPages(std::size_t length);
  void unmapPages(std::byte* pages, std::size_t length);
  void dropSlab(std::size_t size, Slabs::iterator slab);

  const std::uintptr_t begin_;
  std::mutex mutex_;
  std::uintptr_t end_;                           ///< all behind it is free
  std::map<std::uintptr_t, std::size_t> ranges_; ///< free, before the end; none lie side by side
  std::map<std::size_t, Slabs> full_;            ///< by size of their blocks
  std::map<std::size_t, Slabs> open_;            ///< those with room
};

} // namespace heddle::engine
