// SPDX-License-Identifier: Apache-2.0
//
// What would help the kernels of a run: as `heddle fix` found when it tried it, or by legality and
// price alone.
#pragma once

#include "advise/Verdict.h"
#include "driver/Places.h"
#include "frontend/ProgramSpec.h"
#include "profile/ProgramProfile.h"

#include <string>
#include <vector>

namespace heddle::driver {

/// For each place that loses enough, the best of the rewrites that are legal there; where none is,
/// the refusal that a person can do most about. Empty where the files cannot be read. `device`: the
/// modelled GPU. With the cache, what keepVerdicts has kept comes first.
std::vector<advise::Candidate> adviceFor(const profile::ProgramProfile& profile,
                                         const machine::Device& device,
                                         const frontend::ProgramSpec& program, bool useCache);

/// Keeps what `heddle fix` found, for later calls of adviceFor with the same profile.
void keepVerdicts(const advise::Fix& fix, const profile::ProgramProfile& profile,
                  const Sources& sources, const frontend::ProgramSpec& program);

} // namespace heddle::driver
