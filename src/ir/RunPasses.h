// SPDX-License-Identifier: Apache-2.0
//
// Runs LLVM's passes over a module or a function, with all analyses that they may ask for.
#pragma once

#include <llvm/Passes/PassBuilder.h>

namespace heddle::ir {

class PassRunner {
public:
  /// With a target machine, the passes know its costs.
  explicit PassRunner(llvm::TargetMachine* machine = nullptr);

  void run(llvm::Module& module, llvm::ModulePassManager& passes) { passes.run(module, modules_); }
  void run(llvm::Function& function, llvm::FunctionPassManager& passes) {
    passes.run(function, functions_);
  }

  /// For pipelines as text.
  llvm::PassBuilder& builder() { return builder_; }

private:
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

} // namespace heddle::ir
