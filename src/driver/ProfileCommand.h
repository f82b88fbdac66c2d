// SPDX-License-Identifier: Apache-2.0
//
// heddle profile: one kernel without a host program
#pragma once

#include "driver/Output.h"
#include "driver/ProfileArguments.h"
#include "support/Error.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace heddle::driver {

struct ProfileOptions {
  std::string file; ///< .cu, .ll or .bc
  std::string kernel;
  std::array<int, 3> grid = {1, 1, 1};
  std::array<int, 3> block = {1, 1, 1};
  std::int64_t dynamicShared = 0;
  std::vector<KernelArgument> arguments;
  std::vector<std::pair<int, std::string>> dumps; ///< argument number from 0, file
  std::vector<std::string> clangFlags;
};

Expected<std::string> runProfile(const ProfileOptions& options, const Output& output);

} // namespace heddle::driver
