// SPDX-License-Identifier: Apache-2.0
#include "ir/Kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace heddle::ir {

std::vector<llvm::Function*> kernelsOf(const llvm::Module& module) {
  std::vector<llvm::Function*> kernels;
  const llvm::NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations");
  if (annotations == nullptr)
    return kernels;
  for (const llvm::MDNode* node : annotations->operands()) {
    const bool isKernel = node->getNumOperands() >= 2 &&
                          llvm::isa<llvm::MDString>(node->getOperand(1)) &&
                          llvm::cast<llvm::MDString>(node->getOperand(1))->getString() == "kernel";
    auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
    if (isKernel && function != nullptr)
      kernels.push_back(function);
  }
  return kernels;
}

} // namespace heddle::ir
