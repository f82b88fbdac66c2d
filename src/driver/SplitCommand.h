// SPDX-License-Identifier: Apache-2.0
//
// heddle split
#pragma once

#include "driver/Output.h"
#include "support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

struct SplitOptions {
  std::vector<double> times;
  std::vector<double> occupancies;
  double overhead = 0;
  std::optional<double> p; ///< probability of the else path
};

Expected<std::string> runSplit(const SplitOptions& options, const Output& output);

} // namespace heddle::driver
