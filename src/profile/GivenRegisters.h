// SPDX-License-Identifier: Apache-2.0
//
// Registers that the user gives for kernels: "transport=40" on the command line,
// "transport=40,init=8" in the environment of the program that runs them.
#pragma once

#include "support/Error.h"

#include <map>
#include <string>
#include <string_view>

namespace heddle::profile {

/// By kernel, as the user calls it.
using GivenRegisters = std::map<std::string, int>;

/// Adds one "KERNEL=N"; N from 1 to 255, each kernel once.
Expected<void> addGivenRegisters(GivenRegisters& given, std::string_view text);

/// Several of them, separated by commas; nothing in an empty text.
Expected<GivenRegisters> parseGivenRegisters(std::string_view text);

/// As parseGivenRegisters reads it.
std::string writeGivenRegisters(const GivenRegisters& given);

} // namespace heddle::profile
