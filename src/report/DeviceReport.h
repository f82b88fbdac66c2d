// SPDX-License-Identifier: Apache-2.0
//
// What is known of GPUs, as text and JSON.
#pragma once

#include "machine/Device.h"
#include "support/Terminal.h"

#include <string>
#include <vector>

namespace heddle::report {

std::string deviceListText(const std::vector<machine::Device>& devices, const TextStyle& style);
std::string deviceListJson(const std::vector<machine::Device>& devices);

/// Every number of one GPU with its source, and the limits of its multiprocessors.
std::string deviceText(const machine::Device& device, const TextStyle& style);

/// The device file itself, and the limits of its compute capability.
std::string deviceJson(const machine::Device& device);

} // namespace heddle::report
