// SPDX-License-Identifier: Apache-2.0
//
// Global memory as one block sees it that runs by itself: what it writes goes to copies of the
// pages, and is forgotten at its end, unless somebody asks for it before.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle::sassrun {

/// A piece of live memory.
struct LiveRange {
  std::uint64_t begin = 0, end = 0;
};

/// Where memory is live: the range around an address, an empty one if there is none.
using MemoryView = std::function<LiveRange(std::uint64_t address)>;

/// Bytes that were written one behind the other.
struct WrittenBytes {
  std::uint64_t address = 0;
  std::vector<std::byte> bytes;
};

enum class Writes { Forgotten, Noted };

class PrivateMemory {
public:
  explicit PrivateMemory(const MemoryView& view, Writes writes = Writes::Forgotten)
      : view_(view), notesWrites_(writes == Writes::Noted) {}

  /// Whether all bytes are live.
  bool read(std::uint64_t address, void* into, std::size_t size);
  bool write(std::uint64_t address, const void* from, std::size_t size);

  /// Forgets what was written.
  void clear();

  /// What was written, if it was noted; ordered by address.
  std::vector<WrittenBytes> written() const;

  /// Calls back with each written part of a page: its address, its bytes and how many there are.
  /// For tests.
  void forEachPage(const std::function<void(std::uint64_t address, const std::byte* bytes,
                                            std::size_t size)>& visit) const;

  static constexpr std::uint64_t pageBytes = 4096;

private:
  struct Page {
    std::vector<LiveRange> parts; ///< that were copied: those of live ranges that were written
    std::unique_ptr<std::byte[]> bytes;
    std::unique_ptr<std::bitset<pageBytes>> written; ///< nothing where writes are not noted

    bool has(std::uint64_t address) const {
      return std::ranges::any_of(parts, [&](const LiveRange& part) {
        return address >= part.begin && address < part.end;
      });
    }
  };
  bool isLive(std::uint64_t address, std::size_t size);
  const std::byte* readable(std::uint64_t address);
  std::byte* writable(std::uint64_t address);
  void note(std::uint64_t address, std::size_t size);

  const MemoryView& view_;
  const bool notesWrites_;
  LiveRange last_; ///< that was asked for
  std::unordered_map<std::uint64_t, Page> pages_;
};

} // namespace heddle::sassrun
