// SPDX-License-Identifier: Apache-2.0
//
// Device code as an LLVM module, with the kernels in it.
#pragma once

#include "support/Error.h"

#include <llvm/ExecutionEngine/Orc/ThreadSafeModule.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct DeviceModule {
  llvm::orc::ThreadSafeContext context;
  std::unique_ptr<llvm::Module> module; ///< after the context, so destroyed before it
  std::string ptx;                      ///< what it was read from; empty for IR
  std::string machineCode = {};         ///< what ptxas made of the PTX, where it was asked
  int architecture = 0;                 ///< of the machine code: 90 for sm_90
};

/// Reads bitcode, textual IR or PTX; `origin` is named in errors. In a context of its own where
/// none is given.
Expected<DeviceModule> parseDeviceModule(std::string_view text, const std::string& origin,
                                         llvm::orc::ThreadSafeContext context = {});

/// Names of the kernels, in the order of the module.
std::vector<std::string> kernelNames(const llvm::Module& module);

/// "transform" for _Z9transformPf: what a person calls the kernel. Instances of a template are told
/// apart: "scale<float, 4>".
std::string plainKernelName(const std::string& symbol);

/// The same without template arguments: what the function is called in its source.
std::string plainFunctionName(const std::string& symbol);

/// Whether a person may call a kernel so: its symbol, or its plain name with or without template
/// arguments.
bool isNameOf(std::string_view name, const std::string& symbol);

/// Finds a kernel by its symbol, or by its plain name ("transform" for _Z9transformPf, "scale" or
/// "scale<float, 4>" for an instance) if that is unique. Refuses with the names there are.
Expected<llvm::Function*> findKernel(llvm::Module& module, const std::string& name);

} // namespace heddle::frontend
