// SPDX-License-Identifier: Apache-2.0
#include "lowering/FusedProduct.h"

#include <llvm/IR/InstrTypes.h>

namespace heddle::lowering {

const llvm::Instruction* fusedProduct(const llvm::Instruction& sum) {
  using llvm::Instruction;
  if ((sum.getOpcode() != Instruction::FAdd && sum.getOpcode() != Instruction::FSub) ||
      !sum.hasAllowContract())
    return nullptr;
  for (const llvm::Value* operand : sum.operands()) {
    const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(operand);
    if (product != nullptr && product->getOpcode() == Instruction::FMul &&
        product->hasAllowContract() && product->hasOneUse() &&
        product->getParent() == sum.getParent())
      return product;
  }
  return nullptr;
}

bool isFusedProduct(const llvm::Instruction& product) {
  if (product.getOpcode() != llvm::Instruction::FMul || !product.hasOneUse())
    return false;
  const auto* user = llvm::dyn_cast<llvm::Instruction>(*product.user_begin());
  return user != nullptr && fusedProduct(*user) == &product;
}

} // namespace heddle::lowering
