// SPDX-License-Identifier: Apache-2.0
//
// Objects and libraries to a program or a shared library that runs on the engine.
#pragma once

#include "frontend/ClangRun.h"
#include "support/Error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::frontend {

struct LinkOptions {
  std::vector<std::string> inputs; ///< objects and libraries, in order
  std::vector<std::string> flags;  ///< the user's, after the inputs
  std::filesystem::path output;
  std::filesystem::path runtime; ///< libheddle_cudart.so
  bool shared = false;
  std::string name; ///< what messages call the program
  Diagnostics diagnostics;
};

/// libheddle_cudart.so: what HEDDLE_CUDART names, or ../lib beside the running program.
Expected<std::filesystem::path> findRuntime();

std::vector<std::string> linkCommand(const LinkOptions& options);

/// Takes a log into a folder of ours. A refusal names what heddle does not provide.
Expected<void> linkHost(const LinkOptions& options, const std::filesystem::path& folder);

} // namespace heddle::frontend
