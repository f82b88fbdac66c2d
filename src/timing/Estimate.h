// SPDX-License-Identifier: Apache-2.0
//
// The time of a launch on a modelled GPU: the traced blocks are replayed on one multiprocessor, and
// scaled to the grid. docs/design/timing.md says what the model knows and what it does not.
#pragma once

#include "machine/Device.h"
#include "machine/Occupancy.h"
#include "profile/KernelTrace.h"
#include "profile/Timeline.h"
#include "timing/CacheContents.h"

#include <cstdint>

namespace heddle::timing {

/// What a launch is, besides its trace.
struct LaunchShape {
  std::int64_t blocks = 1;
  int residentBlocks = 1; ///< on one multiprocessor
  /// Warp-instructions of the whole grid, where they are known: blocks that are not in the sample
  /// may be longer or shorter. 0 takes the sample for the grid.
  std::uint64_t instructions = 0;
  /// Instructions of the machine for each of those, where its code was run; 0: not known.
  double executed = 0;
  profile::Timeline* timeline = nullptr; ///< where to note when blocks and warps ran
};

/// The launch's time, what bounds it, and how sure that is. It finds in the cache what is there,
/// and leaves what it used.
profile::LaunchTiming estimate(const profile::KernelTrace& trace, const machine::Device& device,
                               const LaunchShape& launch, CacheContents& cache);

/// Leaves in the cache what the launch uses, and does not ask how long it takes.
void useMemory(const profile::KernelTrace& trace, std::int64_t blocks, CacheContents& cache);

} // namespace heddle::timing
