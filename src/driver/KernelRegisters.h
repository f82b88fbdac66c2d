// SPDX-License-Identifier: Apache-2.0
//
// What the commands that run kernels are told of registers: --registers, and whether to ask ptxas.
#pragma once

#include "machine/Device.h"
#include "profile/GivenRegisters.h"
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

} // namespace heddle::driver
