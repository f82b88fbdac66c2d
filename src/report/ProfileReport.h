// SPDX-License-Identifier: Apache-2.0
//
// Where a launch lost its lanes, as text and JSON.
#pragma once

#include "profile/LaunchProfile.h"
#include "support/Terminal.h"

#include <array>
#include <string>

namespace heddle::report {

struct ProfiledLaunch {
  profile::LaunchProfile profile;
  std::array<int, 3> grid;
  std::array<int, 3> block;
};

/// Totals, then the branches that lost most with their source text.
std::string profileText(const ProfiledLaunch& launch, const TextStyle& style);
std::string profileJson(const ProfiledLaunch& launch);

} // namespace heddle::report
