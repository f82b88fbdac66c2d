// SPDX-License-Identifier: Apache-2.0
//
// Which side has each piece of managed memory: the one that touched it last, as far as that can be
// known. A GPU moves pages when a kernel touches them that are with the host.
//
// What the host writes cannot be trapped: where pages are closed, system calls that are to write
// there fail. So contents are compared: a hash of each piece when the device has done something,
// and again before it does the next thing.
//
//   kernel    keep     host writes     look                   kernel touches
//   device -> device ----------------> other hash: host ----> moved: device
//
// What the host reads is not seen. To compare takes time, so it is done only as far as a program's
// kernels are worth it: 4 GiB, and a byte for each instruction of a thread. Of an allocation that
// is too large for what is left of that, the host is taken to have written nothing. That depends on
// counts, not on the clock, and so is the same in every run.
#pragma once

#include "cudart/Memory.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace heddle::cudart {

/// Who has a piece of managed memory.
enum class PageSide : std::uint8_t { Nobody, Host, Device };

/// A part of an allocation, in bytes from its beginning.
struct RegionPart {
  std::uint64_t first = 0, end = 0;
};

class ManagedPages {
public:
  static constexpr std::size_t pieceBytes = std::size_t{64} << 10;

  /// `fill` is what fresh memory holds in every byte.
  explicit ManagedPages(unsigned char fill) : fill_(fill) {}

  /// Before the device does something: what has changed since it last did is with the host.
  void look(const Memory& memory);
  /// After it did: what has changed since then is with the device.
  void keep();
  /// The device has executed so many instructions of threads: so much more may be compared.
  void earn(std::uint64_t instructions) { allowance_ += instructions; }

  /// Bytes that were not on the device, by who had them.
  struct Moved {
    std::uint64_t written = 0; ///< by the host
    std::uint64_t fresh = 0;   ///< nobody's
    std::uint64_t bytes() const { return written + fresh; }
  };
  /// Device code touches a part of a region, at most so many pieces of it. Those for which `stays`
  /// holds do not move.
  Moved touch(const Region& region, RegionPart part, std::uint64_t mostPieces,
              const std::function<bool(const std::byte*, std::size_t)>& stays);

  /// A part is brought to a side. Returns the bytes that the other side had.
  std::uint64_t move(const Region& region, RegionPart part, PageSide to);

  void clear() { allocations_.clear(); }

private:
  struct Piece {
    PageSide side = PageSide::Nobody;
    std::optional<std::uint64_t> hash; ///< of the content when the device was done with it
  };
  struct Allocation {
    const std::byte* begin = nullptr;
    std::size_t size = 0;
    std::vector<Piece> pieces;
    bool isCompared = true; ///< since the last look

    const std::byte* at(std::size_t piece) const { return begin + piece * pieceBytes; }
    std::size_t bytesOf(std::size_t piece) const;
  };

  void follow(const Memory& memory);
  bool isFresh(const std::byte* begin, std::size_t size) const;
  /// Since the device was done with it, or since it was made.
  bool isChanged(const Allocation& allocation, std::size_t number) const;
  Allocation& allocationOf(const Region& region);

  unsigned char fill_;
  std::map<std::uint64_t, Allocation> allocations_;  ///< by Region::made
  std::uint64_t allowance_ = std::uint64_t{4} << 30; ///< bytes that may be compared
};

} // namespace heddle::cudart
