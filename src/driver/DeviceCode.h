// SPDX-License-Identifier: Apache-2.0
//
// Which compiler makes the device code of a program: clang, or the nvcc of a toolkit.
#pragma once

#include "support/Error.h"

#include <filesystem>
#include <string>

namespace heddle::driver {

/// The nvcc that is to make the device code; empty: clang is. `wanted` is "nvcc", "clang" or
/// "auto", which takes nvcc where there is one; where it is empty, HEDDLE_DEVICE_CODE counts, and
/// without that clang.
Expected<std::filesystem::path> nvccForDeviceCode(const std::string& wanted);

/// "device code by nvcc (/usr/local/cuda/bin/nvcc)" and a line's end; nothing for clang.
std::string deviceCodeLine(const std::filesystem::path& nvcc);

} // namespace heddle::driver
