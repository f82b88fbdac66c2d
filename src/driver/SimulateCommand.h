// SPDX-License-Identifier: Apache-2.0
//
// heddle schedule simulate, for one policy
#pragma once

#include "driver/Output.h"
#include "model/Branching.h"
#include "model/Policy.h"
#include "support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

/// The branch of a loop as users give it: --p for two ways, or --ways, and costs.
struct BranchOptions {
  std::optional<double> p;
  std::vector<double> ways;
  std::vector<double> costs;
};

Expected<model::Branching> makeBranching(const BranchOptions& options);

struct SimulateOptions {
  std::string policy = "aging";
  BranchOptions branch;
  std::string word; ///< empty: none
  int iterations = 1000;
  int warps = 2000;
  std::uint64_t seed = 1;
  bool skipEmpty = true;
  model::Ties ties = model::Ties::Fair;
  bool headroom = false;
  int beam = 300;
  std::string svgFile; ///< empty: none
};

Expected<std::string> runSimulate(const SimulateOptions& options, const Output& output);

} // namespace heddle::driver
