// SPDX-License-Identifier: Apache-2.0
//
// What decides how far the estimate of a launch may be off.
#pragma once

#include "timing/Estimate.h"

namespace heddle::timing {

/// Of a launch whose time is estimated: what bounds it, or what the model knows less of than that.
profile::TimeKind kindOf(const profile::KernelTrace& trace, const machine::Device& device,
                         const LaunchShape& launch, const profile::LaunchTiming& timing);

/// Whether ptxas planned the kernel's steps.
bool hasPlan(const profile::KernelShape& shape);

} // namespace heddle::timing
