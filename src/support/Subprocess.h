// SPDX-License-Identifier: Apache-2.0
//
// Runs another program and waits for it.
#pragma once

#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle {

struct SubprocessResult {
  int exitCode = 0;   ///< 128 + signal when a signal ended it
  std::string output; ///< standard output and error together
};

/// `arguments` begins with the program, looked up in PATH. No shell is involved.
Expected<SubprocessResult> runSubprocess(const std::vector<std::string>& arguments);

} // namespace heddle
