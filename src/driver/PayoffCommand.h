// SPDX-License-Identifier: Apache-2.0
//
// heddle schedule payoff
#pragma once

#include "driver/Output.h"
#include "driver/SimulateCommand.h"
#include "support/Error.h"

#include <cstdint>
#include <string>

namespace heddle::driver {

struct PayoffOptions {
  BranchOptions branch; ///< the costs are the path times
  double loopTime = 0;
  std::string turn = "0"; ///< one time, or "alternating=0.05,frequency=0.08"
  std::string word;       ///< empty: the best one, for two ways
  int iterations = 1000;
  int warps = 500;
  std::uint64_t seed = 1;
};

Expected<std::string> runPayoff(const PayoffOptions& options, const Output& output);

} // namespace heddle::driver
