// SPDX-License-Identifier: Apache-2.0
//
// How recorded warps are spelled in a profile: long lists are texts of numbers with a space
// between, since a JSON document with one number a line would be many times as long.
//
//   stretch  place:instructions ...         "0:3 1:12"
//   owners   active finished branch:lanes   "0000ffff 00000000 3:ffff0000"; lanes are hexadecimal
//   runs     stretch owners times ...       "0 0 1 2 1 40"
//
// Readers take nothing but what the writers make.
#pragma once

#include "profile/RecordedWarps.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::profile {

std::string stretchText(const Stretch& stretch);
std::string ownersText(const LaneOwners& owners);
std::string runsText(const std::vector<RecordedWarp::Run>& runs);
std::string lanesText(LaneMask lanes);

std::optional<Stretch> readStretch(std::string_view text);
std::optional<LaneOwners> readOwners(std::string_view text);
std::optional<std::vector<RecordedWarp::Run>> readRuns(std::string_view text);
std::optional<LaneMask> readLanes(std::string_view text);

} // namespace heddle::profile
