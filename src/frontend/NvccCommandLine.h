// SPDX-License-Identifier: Apache-2.0
//
// A command line as people write it for nvcc.
#pragma once

#include "frontend/CompilerFlags.h"
#include "support/Error.h"

#include <span>
#include <string>
#include <vector>

namespace heddle::frontend {

struct NvccCommandLine {
  enum class Goal {
    Program,      ///< or with `shared` a shared library
    Objects,      ///< -c, -dc
    DeviceLink,   ///< -dlink
    Archive,      ///< -lib
    Preprocessed, ///< -E
    Dependencies, ///< -M, -MM
    Version,      ///< --version
  };

  Goal goal = Goal::Program;
  std::vector<std::string> inputs; ///< sources, objects and libraries, in order
  std::string output;              ///< -o
  std::string folder;              ///< -odir
  CompilerFlags flags;
  bool shared = false;
  bool forwardsUnknown = false;     ///< -forward-unknown-to-host-compiler, which CMake gives
  bool verbose = false;             ///< print the commands
  bool dryRun = false;              ///< and do not run them
  bool wantsDependencies = false;   ///< -MD, -MMD: beside the object
  std::string dependencyFile;       ///< -MF
  std::vector<std::string> targets; ///< -MT, -MQ
};

/// Options, response files (@FILE, -optf FILE) and inputs. A refusal names the option.
Expected<NvccCommandLine> readNvccCommandLine(std::span<const std::string> arguments);

} // namespace heddle::frontend
