// SPDX-License-Identifier: Apache-2.0
//
// heddle profile: one kernel without a host program
#pragma once

#include "driver/Output.h"
#include "driver/ProfileArguments.h"
#include "frontend/CompilerFlags.h"
#include "machine/ModelledDevice.h"
#include "profile/GivenRegisters.h"
#include "support/Error.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::driver {

struct ProfileOptions {
  std::string file;              ///< .cu, .ptx, .ll or .bc
  frontend::CompilerFlags flags; ///< its level is the device code's
  std::string deviceCode;        ///< "nvcc", "clang" or "auto"; empty: HEDDLE_DEVICE_CODE, or auto
  std::string kernel;
  std::array<int, 3> grid = {1, 1, 1};
  std::array<int, 3> block = {1, 1, 1};
  std::int64_t dynamicShared = 0;
  std::vector<KernelArgument> arguments;
  std::vector<std::pair<int, std::string>> dumps; ///< argument number from 0, file
  machine::ModelledDevice device;
  std::string reconvergence; ///< "volta" or "stack"; empty: as the device has it
  std::optional<std::int64_t> mostInstructions;
  std::optional<int> workers;
  std::string format;    ///< of the answer, as exporting::formatNames has it; empty: text or JSON
  int recordedWarps = 0; ///< in full in the profile
  profile::GivenRegisters registers; ///< by kernel, instead of what Heddle finds
  std::int64_t lines = 10;           ///< of source, in the report
  bool useCache = true;
};

/// A fault ends in a complaint and status 2, after the report of what ran until then.
Expected<Answer> runProfile(const ProfileOptions& options, const Output& output);

} // namespace heddle::driver
