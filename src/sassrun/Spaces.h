// SPDX-License-Identifier: Apache-2.0
//
// Where memory of each kind lies in generic addresses, and how a lane reads and writes it.
//
//   upper word   lower word
//   0x7d000000   an offset in the block's shared memory, below the number of the block in its
//                cluster, which is always 0 here
//   0x7e000000   an offset in the thread's local memory
//   else         global memory
//
// Machine code gets the first from SR_SWINHI, and the second from words 0x20 and 0x24 of bank 0.
#pragma once

#include "sassrun/Warp.h"

#include <cstddef>
#include <cstdint>

namespace heddle::sassrun {

inline constexpr std::uint32_t sharedWindow = 0x7d000000; ///< the upper word
inline constexpr std::uint32_t localWindow = 0x7e000000;
inline constexpr std::uint32_t localWindowOffset = 0x20; ///< of its 64 bits in bank 0
inline constexpr std::uint32_t sharedOffsetBits = 24;
inline constexpr std::uint64_t largestLocal = std::uint64_t{1} << 20;
inline constexpr std::size_t largestAccess = 16;

enum class Space : std::uint8_t { Global, Shared, Local, Generic };

/// An address in one of the first three spaces.
struct Location {
  Space space = Space::Global;
  std::uint64_t address = 0;
};

/// What a generic address means; other addresses stay what they are.
Location resolve(Space space, std::uint64_t address);

/// Fails the warp where it returns false: the memory is not live, or the address not aligned.
bool readMemory(Warp& warp, int lane, const Location& at, void* into, std::size_t size);
bool writeMemory(Warp& warp, int lane, const Location& at, const void* from, std::size_t size);

} // namespace heddle::sassrun
