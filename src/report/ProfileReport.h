// SPDX-License-Identifier: Apache-2.0
//
// Where the kernels of a run lost their lanes, as text. As JSON it is the profile itself
// (profile/ProfileJson.h).
#pragma once

#include "advise/Verdict.h"
#include "profile/ProgramProfile.h"
#include "support/Terminal.h"

#include <string>
#include <vector>

namespace heddle::report {

struct ProfileView {
  std::size_t lines = 10; ///< of source, for each kernel
  std::size_t kernels = 5;
  TextStyle style{false};
  std::vector<advise::Candidate> advice{}; ///< what would help, by kernel and line
};

/// The most expensive kernels: totals, the lines that lost most with their source text and why, and
/// memory where it is worth a look. At most 100 columns wide.
std::string profileText(const profile::ProgramProfile& profile, const ProfileView& view);

} // namespace heddle::report
