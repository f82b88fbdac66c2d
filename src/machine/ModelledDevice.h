// SPDX-License-Identifier: Apache-2.0
//
// The GPU that a command models: resolved once, where the command line is read.
#pragma once

#include "machine/DeviceCatalog.h"

#include <string>
#include <string_view>

namespace heddle::machine {

struct ModelledDevice {
  std::string asked = "h200"; ///< as --device names it: for messages, and for processes we start
  Device gpu = referenceDevice();
};

/// What --device names. Refuses what is no whole GPU.
Expected<ModelledDevice> modelledDevice(std::string_view asked);

} // namespace heddle::machine
