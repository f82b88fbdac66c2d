// SPDX-License-Identifier: Apache-2.0
#include "analysis/SourceForm.h"

#include "ir/RunPasses.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

namespace heddle::analysis {
namespace {

/// What SimplifyCFG would do, without turning branches into selects.
class FoldConstantBranches : public llvm::PassInfoMixin<FoldConstantBranches> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::BasicBlock& block : function)
      llvm::ConstantFoldTerminator(&block);
    llvm::removeUnreachableBlocks(function);
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(function))
      llvm::MergeBlockIntoPredecessor(&block);
    return llvm::PreservedAnalyses::none();
  }
};

void inlineEverything(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

} // namespace

frontend::CompilerFlags sourceFormFlags(frontend::CompilerFlags flags) {
  flags.level = "0";
  flags.device.insert(flags.device.end(), {"-Xclang", "-disable-O0-optnone"});
  return flags;
}

void bringToSourceForm(llvm::Module& module) {
  inlineEverything(module);
  llvm::FunctionPassManager each;
  for (int round = 0; round < 2; ++round) { // constants found by the first let more variables go
    each.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    each.addPass(llvm::EarlyCSEPass());
    each.addPass(llvm::SCCPPass());
    each.addPass(FoldConstantBranches());
  }
  each.addPass(llvm::UnifyFunctionExitNodesPass());
  each.addPass(llvm::LCSSAPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::AlwaysInlinerPass());
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  ir::PassRunner().run(module, all);
}

} // namespace heddle::analysis
