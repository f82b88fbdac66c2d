// SPDX-License-Identifier: Apache-2.0
//
// Lost lanes weighed in cycles: an instruction that keeps a unit busy for eight cycles loses eight
// times as much as one that takes one.
#pragma once

#include "timing/DeviceCosts.h"

#include <vector>

namespace heddle::timing {

/// Lane slots of traced warps, and the lane-cycles they took.
struct Weight {
  double slots = 0;
  double cycles = 0;

  /// Cycles of so many slots like these.
  double of(double others) const { return slots > 0 ? others * cycles / slots : 0; }
};

/// Of the traced warps: used + lost = all.
struct CycleAccount {
  Weight used;
  Weight finished;
  Weight partial;
  std::vector<Weight> branches; ///< by number

  Weight all() const;
};

CycleAccount weighInCycles(const profile::KernelTrace& trace, const DeviceCosts& costs,
                           std::size_t branches);

} // namespace heddle::timing
