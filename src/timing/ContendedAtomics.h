// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/KernelTrace.h"
#include "timing/DeviceCosts.h"

namespace heddle::timing {

/// Cycles that the L2 takes for the atomics of the traced warps, of the access site where that is
/// most: those on one line of memory come one after the other, those on others side by side.
double cyclesOfAtomics(const profile::KernelTrace& trace, const DeviceCosts& costs);

} // namespace heddle::timing
