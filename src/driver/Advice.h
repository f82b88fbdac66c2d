// SPDX-License-Identifier: Apache-2.0
//
// What would help the kernels of a run, by legality and price alone: nothing is tried.
#pragma once

#include "advise/Verdict.h"
#include "frontend/CompilerFlags.h"
#include "profile/ProgramProfile.h"

#include <string>
#include <vector>

namespace heddle::driver {

/// For each place that loses enough, the best of the rewrites that are legal there; where none is,
/// the refusal that a person can do most about. Empty where the files cannot be read. `device`: as
/// --device names it.
std::vector<advise::Candidate> adviceFor(const profile::ProgramProfile& profile,
                                         const std::string& device,
                                         const std::vector<std::string>& files,
                                         const frontend::CompilerFlags& flags, bool useCache);

} // namespace heddle::driver
