// SPDX-License-Identifier: Apache-2.0
//
// Lost lanes weighed in cycles: an instruction that keeps a unit busy for eight cycles loses eight
// times as much as one that takes one.
#pragma once

#include "timing/DeviceCosts.h"

#include <vector>

namespace heddle::timing {

/// Lane-cycles of the traced warps: used + lost = all.
struct CycleAccount {
  double used = 0;
  double lostToFinished = 0;
  double lostToPartial = 0;
  std::vector<double> lostToBranches; ///< by number of the branch

  double all() const;
};

CycleAccount weighInCycles(const profile::KernelTrace& trace, const DeviceCosts& costs,
                           std::size_t branches);

} // namespace heddle::timing
