// SPDX-License-Identifier: Apache-2.0
#include "driver/DevicesCommand.h"

#include "machine/DeviceCatalog.h"
#include "report/DeviceReport.h"

namespace heddle::driver {

Expected<std::string> runDevices(const std::string& name, const Output& output) {
  if (name.empty()) {
    const auto& devices = machine::builtinDevices();
    return output.json ? report::deviceListJson(devices)
                       : report::deviceListText(devices, output.style);
  }
  HEDDLE_TRY(const machine::Device device, machine::resolveDevice(name));
  return output.json ? report::deviceJson(device) : report::deviceText(device, output.style);
}

} // namespace heddle::driver
