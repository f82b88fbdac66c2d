// SPDX-License-Identifier: Apache-2.0
//
// Device code of several source files as one module, for programs whose kernels call functions and
// use variables of another file (nvcc's -rdc=true).
#pragma once

#include "frontend/DeviceModule.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// Whether it uses functions or variables that neither it nor the engine has.
bool needsOtherFiles(const llvm::Module& module);

/// A symbol of one file only, as it is called in the linked module.
std::string nameInFile(std::string_view symbol, std::size_t file);

/// Each text is bitcode or PTX. What is visible to other files keeps its name; two of a name are
/// refused unless one is weak, as instances of templates are. What is not becomes `nameInFile`.
Expected<DeviceModule> linkDeviceCode(const std::vector<std::string_view>& texts);

} // namespace heddle::frontend
