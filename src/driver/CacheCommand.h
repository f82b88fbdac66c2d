// SPDX-License-Identifier: Apache-2.0
//
// heddle cache: what compilations are kept, and where
#pragma once

#include "driver/Output.h"
#include "support/Error.h"

#include <string>

namespace heddle::driver {

Expected<std::string> showCache(const Output& output);
Expected<std::string> clearCache(const Output& output);

} // namespace heddle::driver
