// SPDX-License-Identifier: Apache-2.0
//
// The registers of kernels for the commands that run them: given with --registers, or found.
#pragma once

#include "engine/DeviceProgram.h"
#include "machine/Device.h"
#include "profile/GivenRegisters.h"
#include "profile/RegisterUse.h"
#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::driver {

/// Refuses a kernel that is not there, and more registers than the device has. `kernels` are
/// symbols.
Expected<void> validateRegisters(const profile::GivenRegisters& given,
                                 const std::vector<std::string>& kernels,
                                 const machine::Device& device);

/// Whether ptxas may be asked: HEDDLE_PTXAS is not 0.
bool mayAskPtxas();

Expected<profile::RegisterUse> registersOf(engine::DeviceProgram& program,
                                           const std::string& kernel,
                                           const profile::GivenRegisters& given,
                                           const machine::Device& device, bool useCache);

} // namespace heddle::driver
