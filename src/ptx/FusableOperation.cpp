// SPDX-License-Identifier: Apache-2.0
#include "ptx/FusableOperation.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

#include <string>

namespace heddle::ptx {

using namespace llvm;

namespace {

constexpr StringLiteral smallPrefix = "heddle.ptx.small.";

/// `heddle.ptx.small.add.f16x2.ftz.sat`, `llvm.nvvm.mul.rn.ftz.f`
std::optional<FusableOperation> namedOperation(StringRef name) {
  FusableOperation made;
  SmallVector<StringRef, 8> words;
  if (name.consume_front(smallPrefix)) {
    name.split(words, '.');
    if (words.size() < 2)
      return {};
    made.type = words[1];
    made.flushes = is_contained(words, "ftz");
    made.saturates = is_contained(words, "sat");
  } else {
    if (!name.consume_front("llvm.nvvm.") || !name.ends_with(".rn.ftz.f"))
      return {};
    name.split(words, '.');
    made.type = "f32";
    made.flushes = true;
  }
  const auto kind = sumKindNamed(words.front());
  if (!kind)
    return {};
  made.kind = *kind;
  return made;
}

/// A sum with -0, which `neg.ftz` begins with: nothing but what is below the normal numbers is
/// changed by it.
bool isFlush(const Value* value) {
  if (calledName(value) != "llvm.nvvm.add.rn.ftz.f")
    return false;
  const auto* zero = dyn_cast<ConstantFP>(cast<CallInst>(value)->getArgOperand(1));
  return zero != nullptr && zero->isZero() && zero->isNegative() &&
         cast<CallInst>(value)->getMetadata(mayFuseName) == nullptr &&
         all_of(value->users(), [](const User* user) {
           return isa<UnaryOperator>(user) || isa<BitCastInst>(user);
         });
}

Value* negated(IRBuilder<>& builder, const FusableOperation& like, Value* value) {
  if (!like.isSmall())
    return builder.CreateFNeg(value);
  const APInt sign = APInt::getSignMask(16);
  return builder.CreateXor(
      value, ConstantInt::get(value->getType(), like.isPair() ? APInt::getSplat(32, sign) : sign));
}

Value* fusedCall(IRBuilder<>& builder, const FusableOperation& sum, ArrayRef<Value*> operands) {
  Type* type = sum.at->getType();
  if (!sum.isSmall())
    return sum.flushes ? builder.CreateIntrinsic(Intrinsic::nvvm_fma_rn_ftz_f, {}, operands)
                       : builder.CreateIntrinsic(Intrinsic::fma, {type}, operands);
  const std::string name = (smallPrefix + "fma." + sum.type + (sum.flushes ? ".ftz" : "") +
                            (sum.saturates ? ".sat" : ""))
                               .str();
  return builder.CreateCall(sum.at->getModule()->getOrInsertFunction(
                                name, cast<CallInst>(sum.at)->getCalledFunction()->getAttributes(),
                                type, type, type, type),
                            operands);
}

} // namespace

StringRef calledName(const Value* value) {
  const auto* call = dyn_cast<CallInst>(value);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr ? StringRef() : callee->getName();
}

std::optional<SumKind> sumKindNamed(StringRef name) {
  return name == "add"   ? std::optional(SumKind::Sum)
         : name == "sub" ? std::optional(SumKind::Difference)
         : name == "mul" ? std::optional(SumKind::Product)
                         : std::nullopt;
}

std::optional<FusableOperation> fusableOperation(llvm::Instruction& instruction) {
  const MDNode* allowed = instruction.getMetadata(mayFuseName);
  if (allowed == nullptr)
    return {};
  std::optional<FusableOperation> made;
  if (const auto* binary = dyn_cast<BinaryOperator>(&instruction)) {
    made.emplace();
    made->kind = binary->getOpcode() == llvm::Instruction::FMul   ? SumKind::Product
                 : binary->getOpcode() == llvm::Instruction::FSub ? SumKind::Difference
                                                                  : SumKind::Sum;
    made->type = instruction.getType()->isFloatTy() ? "f32" : "f64";
  } else {
    made = namedOperation(calledName(&instruction));
  }
  if (!made || (made->kind == SumKind::Product && made->saturates))
    return {};
  made->at = &instruction;
  made->line =
      std::uint32_t(mdconst::extract<ConstantInt>(allowed->getOperand(0).get())->getZExtValue());
  return made;
}

bool isSignOrMove(const Value* value, const FusableOperation& user, unsigned& signs) {
  if (isa<BitCastInst>(value) || (isFlush(value) && user.flushes))
    return true;
  StringRef name = calledName(value);
  const bool isSmallSign = name.consume_front(smallPrefix) && name.consume_front("neg.") &&
                           name.consume_front(user.type) && user.type != "bf16x2" &&
                           (name.empty() || (name == ".ftz" && user.flushes));
  const auto* unary = dyn_cast<UnaryOperator>(value);
  const bool isSign =
      isSmallSign || (unary != nullptr && unary->getOpcode() == llvm::Instruction::FNeg);
  signs += isSign ? 1 : 0;
  return isSign;
}

Value* behindSigns(Value* value, const FusableOperation& user, unsigned& signs) {
  while (isSignOrMove(value, user, signs))
    value = cast<llvm::Instruction>(value)->getOperand(0);
  return value;
}

Value* fusedSum(IRBuilder<>& builder, const FusableOperation& sum, unsigned index, unsigned signs,
                ArrayRef<Value*> factors) {
  Value* other = sum.operand(1 - index);
  if (sum.kind == SumKind::Difference && index == 0)
    other = negated(builder, sum, other);
  else if (sum.kind == SumKind::Difference)
    ++signs;
  Value* factor = signs % 2 != 0 ? negated(builder, sum, factors[0]) : factors[0];
  return fusedCall(builder, sum, {factor, factors[1], other});
}

} // namespace heddle::ptx
