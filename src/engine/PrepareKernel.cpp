// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. inline every device function into the kernel
//   2. scalars instead of small vectors, branches instead of switches, one return
//   3. split blocks after barriers, so that a barrier is the last thing a block does
#include "engine/PrepareKernel.h"

#include "engine/RunPasses.h"
#include "frontend/DeviceModule.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include <vector>

namespace heddle::engine {
namespace {

void markForInlining(llvm::Module& module, const llvm::Function& kernel) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || &function == &kernel)
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

void inlineAndSimplify(llvm::Module& module) {
  llvm::FunctionPassManager each;
  each.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  each.addPass(llvm::LowerSwitchPass());
  each.addPass(llvm::ScalarizerPass());
  each.addPass(llvm::InstCombinePass());
  each.addPass(llvm::UnifyFunctionExitNodesPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::AlwaysInlinerPass());
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  runPasses(module, std::move(all));
}

void splitAfterBarriers(llvm::Function& kernel) {
  std::vector<llvm::Instruction*> barriers;
  for (llvm::BasicBlock& block : kernel)
    for (llvm::Instruction& instruction : block)
      if (isBarrier(instruction))
        barriers.push_back(&instruction);
  for (llvm::Instruction* barrier : barriers)
    barrier->getParent()->splitBasicBlock(barrier->getNextNode(), "after.barrier");
}

} // namespace

bool isBarrier(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0;
}

Expected<void> prepareKernel(llvm::Function& kernel) {
  markForInlining(*kernel.getParent(), kernel);
  inlineAndSimplify(*kernel.getParent());
  for (const llvm::BasicBlock& block : kernel)
    for (const llvm::Instruction& instruction : block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        const llvm::Function* callee = call->getCalledFunction();
        if (callee == nullptr || !callee->isDeclaration())
          return fail(ErrorKind::Unsupported,
                      "kernel '{}' calls {}, which the engine does not run yet",
                      frontend::plainKernelName(kernel.getName().str()),
                      callee == nullptr ? "through a pointer"
                                        : frontend::plainKernelName(callee->getName().str()));
      }
  splitAfterBarriers(kernel);
  return {};
}

} // namespace heddle::engine
