// SPDX-License-Identifier: Apache-2.0
#include "analysis/RunPasses.h"

#include <llvm/Passes/PassBuilder.h>

namespace heddle::analysis {

void runPasses(llvm::Module& module, llvm::ModulePassManager passes, llvm::TargetMachine* machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  passes.run(module, modules);
}

} // namespace heddle::analysis
