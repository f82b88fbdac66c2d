// SPDX-License-Identifier: Apache-2.0
//
// Advice that no rewrite follows: where launches wait longer for managed memory than they run, a
// prefetch would bring it sooner.
#pragma once

#include "advise/Verdict.h"
#include "profile/ProgramProfile.h"

#include <vector>

namespace heddle::driver {

/// For each kernel whose first touch of managed memory takes longer than the kernel.
std::vector<advise::Candidate> prefetchAdvice(const profile::ProgramProfile& profile);

} // namespace heddle::driver
