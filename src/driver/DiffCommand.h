// SPDX-License-Identifier: Apache-2.0
//
// heddle diff: two profiles side by side
#pragma once

#include "driver/Output.h"
#include "profile/DiffCondition.h"
#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::driver {

struct DiffOptions {
  std::vector<std::string> files; ///< two: before and after
  std::vector<profile::DiffCondition> failOn;
  bool markdown = false;
  std::int64_t lines = 10; ///< of source, for each kernel
};

/// Status 1 where a condition holds.
Expected<Answer> runDiff(const DiffOptions& options, const Output& output);

} // namespace heddle::driver
