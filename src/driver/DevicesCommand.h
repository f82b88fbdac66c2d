// SPDX-License-Identifier: Apache-2.0
//
// heddle devices
#pragma once

#include "driver/Output.h"
#include "support/Error.h"

#include <string>

namespace heddle::driver {

/// All known GPUs, or one of them (a name, or a device file).
Expected<std::string> runDevices(const std::string& name, const Output& output);

} // namespace heddle::driver
