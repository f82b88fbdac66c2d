// SPDX-License-Identifier: Apache-2.0
//
// Runs a pipeline of LLVM's passes over a module.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetMachine;
}

namespace heddle::analysis {

/// With a target machine, the passes know its costs.
void runPasses(llvm::Module& module, llvm::ModulePassManager passes,
               llvm::TargetMachine* machine = nullptr);

} // namespace heddle::analysis
