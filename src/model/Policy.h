// SPDX-License-Identifier: Apache-2.0
//
// How a warp picks the path of its next step when the iterations of its lanes are scheduled.
#pragma once

#include "support/Error.h"

#include <span>
#include <string_view>

namespace heddle::model {

enum class Policy {
  Native,      ///< no scheduling: every path that some lane takes, in every iteration
  Alternating, ///< A B C ... in turn; where no lane wants the path, the next one runs
  Fixed,       ///< a word, repeated; likewise
  Frequency,   ///< the path most live lanes want
  Laggard,     ///< the path most of the least advanced live lanes want
  Aging,       ///< each path ages by the lanes that want it; the oldest runs and is young again
  CostAging,   ///< aging, with the age divided by the path's cost
};

/// Which of several equally wanted paths the frequency policy runs.
enum class Ties {
  Fair,  ///< any of them, by lot
  First, ///< the first: A before B
  Last,
};

struct PolicyInfo {
  Policy policy;
  std::string_view name;
  std::string_view rule;
};

/// Native first, then the schedules in the order above.
std::span<const PolicyInfo> allPolicies();

std::string_view policyName(Policy policy);
Expected<Policy> parsePolicy(std::string_view name);

} // namespace heddle::model
