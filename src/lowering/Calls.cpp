// SPDX-License-Identifier: Apache-2.0
#include "lowering/Calls.h"

#include <llvm/IR/IntrinsicInst.h>

namespace heddle::lowering {

bool isBuiltinCall(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && (callee->isIntrinsic() || callee->getName().starts_with("__nv_"));
}

bool isMathCall(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->isDeclaration() && callee->getName().starts_with("__nv_");
}

bool isMachineCall(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || call->isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call))
    return false;
  return !isMathCall(instruction);
}

} // namespace heddle::lowering
