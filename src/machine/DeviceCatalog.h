// SPDX-License-Identifier: Apache-2.0
//
// Turns what a user writes after --device into limits and, where one is meant, a GPU.
#pragma once

#include "machine/Device.h"
#include "machine/SmLimits.h"
#include "support/Error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::machine {

/// What occupancy is computed for: a GPU, or a bare compute capability whose number of
/// multiprocessors and speed are not known.
struct Target {
  std::string label;
  SmLimits limits;
  std::optional<Device> device;
};

/// The GPUs of devices/*.json, oldest first.
const std::vector<Device>& builtinDevices();

/// The GPU that was measured most: what is not known of another one is taken to be as on this one.
const Device& referenceDevice();

/// The device's own, or those of the reference device.
const StepCycles& stepCyclesOf(const Device& device);

/// A built-in GPU by name or alias, in any case, with or without spaces, dashes and vendor.
Expected<Device> findDevice(std::string_view name);

/// A GPU by name, a device file by path ("mine.json", "./mine.json"), or a capability ("cc9.0").
Expected<Target> resolveTarget(std::string_view text);

/// Like resolveTarget, for commands that need a whole GPU.
Expected<Device> resolveDevice(std::string_view text);

} // namespace heddle::machine
