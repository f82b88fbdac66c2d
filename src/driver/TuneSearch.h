// SPDX-License-Identifier: Apache-2.0
//
// The search of `heddle tune` in a program.
//
//   1. The program runs as it is, twice: results must be the same each time.
//   2. The kernels that take most of the time are looked at: what of their source and launches can
//      be set to other values.
//   3. Each is searched alone (tune/Search.h). A configuration is the source with some words
//      changed, and blocks of another size for the launches; the program is compiled once for each
//      source.
#pragma once

#include "driver/Places.h"
#include "driver/ProgramTrials.h"
#include "driver/TuneCommand.h"
#include "tune/Tuning.h"

#include <filesystem>

namespace heddle::driver {

struct TuneResult {
  tune::Tuning tuning;
  Sources sources;
};

/// `folder` is ours. `report` is told what is being tried.
Expected<TuneResult> searchConfigurations(const TuneOptions& options,
                                          const std::filesystem::path& folder,
                                          const ProgramTrials::Report& report);

} // namespace heddle::driver
