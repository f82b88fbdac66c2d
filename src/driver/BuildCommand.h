// SPDX-License-Identifier: Apache-2.0
//
// How to build a rewritten program with nvcc, as a line for a shell.
#pragma once

#include "driver/ChangedFiles.h"
#include "driver/RunCommand.h"

#include <string>

namespace heddle::driver {

/// A word as a shell takes it for one.
std::string shellWord(const std::string& word);

/// With the user's own flags, and the device library's folder where a changed file includes it.
std::string buildCommand(const RunOptions& options, const ChangedFiles& changed);

} // namespace heddle::driver
