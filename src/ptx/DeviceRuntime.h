// SPDX-License-Identifier: Apache-2.0
//
// Functions of CUDA's device runtime that nvcc's code calls and that need no engine. Their bodies
// are those of cuda/include/compat/heddle_launches.h, where clang's code finds them.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::ptx {

/// Gives bodies to those that the module only declares.
void defineDeviceRuntime(llvm::Module& module);

} // namespace heddle::ptx
