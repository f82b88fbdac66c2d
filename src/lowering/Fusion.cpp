// SPDX-License-Identifier: Apache-2.0
#include "lowering/Fusion.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace heddle::lowering {
namespace {

using namespace llvm;

bool isOneOf(const Value& value, std::initializer_list<unsigned> opcodes) {
  const auto* operation = dyn_cast<BinaryOperator>(&value);
  return operation != nullptr && is_contained(opcodes, operation->getOpcode());
}

bool isSum(const Value& value) {
  return isOneOf(value, {Instruction::Add, Instruction::Sub});
}

bool canBeAbsorbedBy(const Instruction& user, const Instruction& operand) {
  if (onlyUser(operand) != &user || operand.getType()->isVectorTy())
    return false;
  if (user.getType()->isFPOrFPVectorTy())
    return fusedProduct(user) == &operand;
  if (operand.getType()->isIntegerTy(64) || operand.getType()->isPointerTy())
    return false;
  if (isLogic(user) && isLogic(operand))
    return absorbed(operand) == nullptr; // LOP3 has three operands
  if (isSum(user)) {
    const bool isShift =
        operand.getOpcode() == Instruction::Shl && isa<ConstantInt>(operand.getOperand(1)); // LEA
    return operand.getOpcode() == Instruction::Mul || isShift ||
           (isSum(operand) && absorbed(operand) == nullptr); // IMAD, IADD3
  }
  return false;
}

} // namespace

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

bool isLogic(const Value& value) {
  return isOneOf(value, {Instruction::And, Instruction::Or, Instruction::Xor});
}

const Instruction* onlyUser(const Instruction& instruction) {
  if (!instruction.hasOneUse())
    return nullptr;
  const auto* user = cast<Instruction>(*instruction.user_begin());
  return user->getParent() == instruction.getParent() && !isa<PHINode>(user) ? user : nullptr;
}

const Instruction* absorbed(const Instruction& instruction) {
  if (!isLogic(instruction) && !isSum(instruction) &&
      !isOneOf(instruction, {Instruction::FAdd, Instruction::FSub}))
    return nullptr;
  for (const Value* operand : instruction.operands())
    if (const auto* made = dyn_cast<Instruction>(operand);
        made != nullptr && made->getParent() == instruction.getParent() &&
        canBeAbsorbedBy(instruction, *made))
      return made;
  return nullptr;
}

bool isAbsorbed(const Instruction& instruction) {
  const Instruction* user = onlyUser(instruction);
  return user != nullptr && absorbed(*user) == &instruction;
}

} // namespace heddle::lowering
