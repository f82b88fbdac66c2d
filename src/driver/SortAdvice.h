// SPDX-License-Identifier: Apache-2.0
//
// Kernels of a run whose items had better come in another order.
#pragma once

#include "advise/Verdict.h"
#include "driver/Places.h"
#include "profile/ProgramProfile.h"

#include <vector>

namespace heddle::driver {

/// One for each kernel that would gain by it.
std::vector<advise::Candidate> sortAdvice(const profile::ProgramProfile& profile,
                                          const Sources& sources);

} // namespace heddle::driver
