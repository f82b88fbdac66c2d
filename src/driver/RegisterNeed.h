// SPDX-License-Identifier: Apache-2.0
//
// Whether the blocks of a rewritten kernel still start. A launch whose threads have more registers
// than a multiprocessor holds fails; nvcc may give them a few more than were counted here.
#pragma once

#include "driver/Places.h"
#include "machine/SmLimits.h"
#include "profile/ProgramProfile.h"

#include <optional>
#include <string>

namespace heddle::driver {

/// Which kernel has more registers than before and might not start, and why. Nothing of kernels for
/// which the source says how large their blocks are: a compiler keeps to that.
std::optional<std::string> mightNotStart(const profile::ProgramProfile& before,
                                         const profile::ProgramProfile& after,
                                         const machine::SmLimits& limits, const Sources& sources);

} // namespace heddle::driver
