// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/KernelTrace.h"
#include "timing/DeviceCosts.h"

namespace heddle::timing {

/// Cycles that the L2 takes for the atomics of a launch, of which the sample is one of `ofTheGrid`
/// parts: those on one line of memory come one after the other, those on others side by side.
double cyclesOfAtomics(const profile::KernelTrace& trace, const DeviceCosts& costs,
                       double ofTheGrid);

} // namespace heddle::timing
