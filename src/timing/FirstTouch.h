// SPDX-License-Identifier: Apache-2.0
//
// Managed memory comes to the device when a kernel touches it there for the first time after the
// host wrote it: which parts a launch touches, and what it takes to bring them. That is no part of
// a kernel's time.
#pragma once

#include "machine/Device.h"
#include "profile/KernelTrace.h"

#include <cstdint>
#include <vector>

namespace heddle::timing {

/// A part of an allocation that a launch touches.
struct TouchedRange {
  std::uint64_t allocation = 0; ///< where it begins in the device's memory
  std::uint64_t first = 0, end = 0;
  double sectors = 0; ///< different ones in it, at most
};

/// Of a launch of so many blocks, by what its sample shows: from the first byte that an access
/// touches to the last one, and at least as much as the whole grid asks for.
std::vector<TouchedRange> touchedRanges(const profile::KernelTrace& trace, std::int64_t blocks);

/// Seconds for bytes that the host wrote last, and for bytes that nobody has touched.
double firstTouchSeconds(const machine::Device& device, double written, double fresh);

/// Seconds to bring them before the kernel asks.
double prefetchSeconds(const machine::Device& device, double bytes);

} // namespace heddle::timing
