// SPDX-License-Identifier: Apache-2.0
//
// How a configuration is compiled: the text of its source, and flags.
#pragma once

#include "rewrite/tuning/Tunables.h"
#include "tune/Configuration.h"

#include <string>
#include <vector>

namespace heddle::driver {

/// The source of a kernel as a configuration has it.
std::string tunedText(const rewrite::Source& source, const rewrite::tuning::KernelTunables& kernel,
                      const tune::Configuration& configuration, const profile::Extent& block);

/// The flags that define its macros.
std::vector<std::string> macroFlags(const tune::Configuration& configuration);

} // namespace heddle::driver
