// SPDX-License-Identifier: Apache-2.0
//
// heddle check
#pragma once

#include "driver/Output.h"
#include "frontend/CompilerFlags.h"
#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::driver {

struct CheckOptions {
  std::vector<std::string> files;
  frontend::CompilerFlags flags;
  std::vector<std::string> disabled; ///< ids
  bool data = false;                 ///< also branches on what threads have read
  bool notesCount = false;           ///< as much as warnings
  bool useCache = true;
};

inline constexpr int foundStatus = 1; ///< there are warnings

Expected<Answer> runCheck(const CheckOptions& options, const Output& output);

/// What --disable understands.
std::vector<std::string> checkIds();

} // namespace heddle::driver
