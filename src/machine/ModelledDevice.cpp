// SPDX-License-Identifier: Apache-2.0
#include "machine/ModelledDevice.h"

#include <utility>

namespace heddle::machine {

Expected<ModelledDevice> modelledDevice(std::string_view asked) {
  HEDDLE_TRY(Device device, resolveDevice(asked));
  return ModelledDevice{std::string(asked), std::move(device)};
}

} // namespace heddle::machine
