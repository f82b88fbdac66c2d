// SPDX-License-Identifier: Apache-2.0
//
// Configurations of one kernel, run in its program: the source with some words changed, and blocks
// of another size for the launches.
#pragma once

#include "driver/TunableKernel.h"
#include "tune/Search.h"

#include <filesystem>
#include <map>
#include <string>

namespace heddle::driver {

/// What it changes in the source; empty: nothing.
ChangedFiles changedBy(const TuneSubject& subject, const TunableKernel& kernel,
                       const tune::Configuration& wanted);

/// Programs that were built for a kernel, by the configuration's code: each is built once.
using BuiltConfigurations = std::map<std::string, Expected<std::filesystem::path>>;

/// Runs a configuration and times the kernel. What stops it is part of the outcome.
Expected<tune::Outcome> measure(const TuneSubject& subject, const TunableKernel& kernel,
                                const tune::Configuration& wanted, BuiltConfigurations& built);

struct ConfigurationProof {
  std::string difference;  ///< empty: results are equal
  std::uint64_t bytes = 0; ///< that were compared
};

Expected<ConfigurationProof> prove(const TuneSubject& subject, const TunableKernel& kernel,
                                   const tune::Configuration& wanted, BuiltConfigurations& built);

} // namespace heddle::driver
