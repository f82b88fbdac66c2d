// SPDX-License-Identifier: Apache-2.0
//
// heddle include: where nvcc finds the device library
#pragma once

#include "support/Error.h"

#include <string>

namespace heddle::driver {

/// The folder that holds heddle/, on a line: the installed one, or the one that the cache keeps.
Expected<std::string> printIncludeFolder();

} // namespace heddle::driver
