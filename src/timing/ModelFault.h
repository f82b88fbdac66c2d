// SPDX-License-Identifier: Apache-2.0
//
// Ways to break the model on purpose. A study whose checks hold on a broken model says nothing
// about the true one; tests see that they fail.
#pragma once

#include "profile/KernelTrace.h"

#include <cstdint>

namespace heddle::timing {

enum class ModelFault : std::uint8_t {
  None,
  IgnoreOccupancy, ///< registers and shared memory cost no resident blocks
  FreePath,        ///< what runs while more lanes wait at branches takes no time
};

/// A trace without what a fault takes from it.
struct FreedTrace {
  profile::KernelTrace trace;
  double kept = 1; ///< share of the instructions that are still there
};

/// Drops what ran with fewer lanes than waited at its branches. At half and half both sides stay.
FreedTrace withoutSmallerSides(const profile::KernelTrace& trace);

} // namespace heddle::timing
