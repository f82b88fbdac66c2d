// SPDX-License-Identifier: Apache-2.0
//
// A profile's kernels in short: what a table of before and after shows.
#pragma once

#include "advise/Verdict.h"
#include "profile/ProgramProfile.h"

#include <set>
#include <string>

namespace heddle::driver {

/// Estimated, of all kernels.
double secondsOf(const profile::ProgramProfile& profile);

/// Of the kernels with these ids.
advise::Standing standingOf(const profile::ProgramProfile& profile,
                            const std::set<std::string>& ids);

std::set<std::string> kernelIds(const profile::ProgramProfile& profile);

} // namespace heddle::driver
