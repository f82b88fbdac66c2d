// SPDX-License-Identifier: Apache-2.0
//
// Which compiler makes the device code of a program: clang, or the nvcc of a toolkit.
#pragma once

#include "frontend/DeviceCompiler.h"
#include "frontend/DeviceModule.h"
#include "frontend/ProgramBuilder.h"
#include "machine/Device.h"
#include "support/Error.h"

#include <filesystem>
#include <functional>
#include <string>

namespace heddle::driver {

struct DeviceCode {
  std::filesystem::path nvcc; ///< empty: clang
  bool mayBeClang = false;    ///< where nvcc does not take the code, or makes what cannot be run
  std::string architecture = "sm_90"; ///< nvcc's, where no flag names one
  std::string whyClang{};             ///< though there is an nvcc
};

/// `wanted` is "nvcc", "clang" or "auto", which takes nvcc where there is one; where it is empty,
/// HEDDLE_DEVICE_CODE counts, and without that "auto".
/// Code is for the modelled device, as far as nvcc knows it.
Expected<DeviceCode> chooseDeviceCode(const std::string& wanted, const machine::Device& device);

/// Builds a program; `code` becomes what was taken.
Expected<frontend::BuiltProgram> buildWith(DeviceCode& code, const frontend::BuildOptions& options,
                                           const std::filesystem::path& folder);

/// The same for the object of one source, the only one of the options.
Expected<frontend::BuiltObject> objectWith(DeviceCode& code, const frontend::BuildOptions& options,
                                           const std::filesystem::path& folder);

/// The same for the device code of one file.
Expected<frontend::DeviceModule> compileWith(DeviceCode& code, const std::string& file,
                                             const frontend::CompileOptions& options);

/// "device code by nvcc (/usr/local/cuda/bin/nvcc)" and a line's end; of clang only why it was
/// taken, where there is an nvcc.
std::string deviceCodeLine(const DeviceCode& code);

} // namespace heddle::driver
