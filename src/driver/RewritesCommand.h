// SPDX-License-Identifier: Apache-2.0
//
// heddle rewrites: the rewrites of heddle fix, and why each may be refused
#pragma once

#include "driver/Output.h"
#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::driver {

/// All rewrites in the order in which they are tried; of one that is named, its refusals.
Expected<std::string> listRewrites(const std::string& name, const Output& output);

std::vector<std::string> rewriteNames();

} // namespace heddle::driver
