// SPDX-License-Identifier: Apache-2.0
//
// heddle run: a whole program on the engine, and where its kernels lost lanes
#pragma once

#include "driver/Output.h"
#include "frontend/ProgramSpec.h"
#include "machine/ModelledDevice.h"
#include "profile/GivenBlocks.h"
#include "profile/GivenRegisters.h"
#include "profile/ProgramSettings.h"
#include "support/Error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::driver {

struct RunOptions {
  frontend::ProgramSpec program;
  std::string project; ///< the folder of a build, whose program is the first of `arguments`
  std::vector<std::string> arguments; ///< of the program
  std::string deviceCode; ///< "nvcc", "clang" or "auto"; empty: HEDDLE_DEVICE_CODE, or auto
  machine::ModelledDevice device;
  std::string reconvergence; ///< "volta" or "stack"; empty: as the device has it
  std::optional<std::int64_t> mostInstructions;
  std::optional<int> workers;
  std::string format;    ///< of the answer, as exporting::formatNames has it; empty: text or JSON
  int recordedWarps = 0; ///< of each kernel, in full in the profile
  profile::GivenRegisters registers; ///< by kernel, instead of what Heddle finds
  std::string profileFile;
  std::string reportFile;  ///< a page to look at
  std::int64_t lines = 10; ///< of source, in the report
  bool poison = true;
  bool keepGoing = false; ///< a fault leaves a sticky error, as on a GPU
  bool useCache = true;
  bool quiet = false;
  bool strict = false; ///< remarks make status 1
  bool advice = true;
  bool tuned = false;          ///< in the best configuration that `heddle tune` has found
  profile::GivenBlocks blocks; ///< instead of those that the program launches
  std::int64_t kernels = 5;    ///< in the report
};

/// The same with the files of a program that --project or a program built by `heddle cc` names.
Expected<RunOptions> withSources(RunOptions options);

/// What names the program behind `heddle fix`.
std::vector<std::string> programWords(const RunOptions& options);

/// What the runtime library of a program that heddle starts is told; docs/design/running.md lists
/// it. `profile` is where the program leaves its profile.
profile::ProgramSettings programSettings(const RunOptions& options,
                                         const std::filesystem::path& profile);

/// The environment of a program that is told these.
profile::ProgramSettings::Variables environmentOf(const profile::ProgramSettings& settings);

/// Builds the program, runs it as a child with our own input and output, and reports. A fault ends
/// in a complaint and status 2 after the partial report; else the status is the program's.
Expected<Answer> runProgram(const RunOptions& options, const Output& output);

} // namespace heddle::driver
