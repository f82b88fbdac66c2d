// SPDX-License-Identifier: Apache-2.0
//
// What the traced blocks of a launch tell of all its blocks.
#pragma once

#include "profile/KernelTrace.h"

#include <optional>

namespace heddle::timing {

/// Keeps the blocks to go by: all, or the deep ones where warps are too long for the others.
void keepRepresentativeBlocks(profile::KernelTrace& trace);

/// Of a warp, those in its windows.
double tracedInstructions(const profile::KernelTrace& trace, const profile::WarpTrace& warp);

struct TraceSample {
  double instructions = 0; ///< that the sampled warps ran
  double freshBytes = 0;
  double error = 0;              ///< relative standard error of the mean block
  std::size_t longestBlock = 0;  ///< the one with the longest warp
  std::uint64_t longestWarp = 0; ///< instructions
  double longestTraced = 1;      ///< of those, in the trace
};

/// Pieces of each warp, from all over it: of the warps of a block the same share of what they ran.
/// Of warps that meet at barriers only the beginning, where all have met as often. Nothing where
/// all are to be kept whole.
std::optional<profile::KernelTrace> shortened(const profile::KernelTrace& trace, double part);

/// Of a trace with at least one block.
TraceSample sampleOf(const profile::KernelTrace& trace);
double stepsOfABlock(const profile::KernelTrace& trace); ///< on average
/// By its footprints: sectors that their thread blocks had not used before.
double freshSectors(const profile::KernelTrace& trace);

} // namespace heddle::timing
