// SPDX-License-Identifier: Apache-2.0
//
// The memory behind the allocations of a program: at the same addresses in every run
// (engine/FixedMemory.h).
#pragma once

#include <cstddef>

namespace heddle::cudart {

inline constexpr std::size_t allocationAlignment = 256;

/// What fresh device memory holds, in every byte: 3.4e38 as a float, 1.4e306 as a double,
/// 2139062143 as an int, no address as a pointer. Not NaN: `fabs(a - b) > limit` is false for NaN,
/// so a program's self-check would pass.
inline constexpr unsigned char poisonByte = 0x7f;

enum class Fill { Zero, Poison };

/// At least `size` bytes, aligned to 256, and 256 bytes more that belong to nobody. Large blocks
/// take memory only where they are written.
struct RawBlock {
  std::byte* begin = nullptr; ///< nullptr: the machine has no memory
  std::size_t length = 0;     ///< with what belongs to nobody
  bool mapped = false;
};

/// `ownPages`: also a small block shares its pages with nothing.
RawBlock allocateRaw(std::size_t size, Fill fill, bool ownPages = false);
void releaseRaw(const RawBlock& block);

} // namespace heddle::cudart
