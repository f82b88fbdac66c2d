// SPDX-License-Identifier: Apache-2.0
#include "ptx/PtxasFolds.h"

#include "ptx/FusableOperation.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace heddle::ptx {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

Value* behindBitcasts(Value* value) {
  while (auto* cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

/// The operand of a call to one of NVVM's functions, by the beginning of its name.
Value* operandOf(Value* value, StringRef function) {
  value = behindBitcasts(value);
  return calledName(value).starts_with(function) ? cast<CallInst>(value)->getArgOperand(0)
                                                 : nullptr;
}

/// What a float is made of, if that is a number of 32 bits without a sign.
Value* wholeBehind(Value* value) {
  Value* whole = nullptr;
  value = behindBitcasts(value);
  if (match(value, m_UIToFP(m_Value(whole))) && value->getType()->isFloatTy())
    return whole->getType()->isIntegerTy(32) ? whole : nullptr;
  return operandOf(value, "llvm.nvvm.ui2f.");
}

void foldConversion(llvm::Instruction& outer) {
  constexpr StringLiteral toWhole = "llvm.nvvm.f2ui.";
  if (!calledName(&outer).starts_with(toWhole))
    return;
  while (Value* whole = wholeBehind(outer.getOperand(0))) {
    Value* first = operandOf(whole, toWhole);
    if (first == nullptr)
      return;
    outer.setOperand(0, first);
  }
}

void foldRemainder(llvm::Instruction& rest) {
  Value *size = nullptr, *divisor = nullptr;
  if (!match(&rest, m_SRem(m_Value(size), m_Value(divisor))) ||
      !match(size, m_Intrinsic<Intrinsic::abs>()) || rest.getType()->isIntegerTy(64))
    return;
  IRBuilder<> builder(&rest);
  Value* of = builder.CreateBinaryIntrinsic(Intrinsic::abs, divisor, builder.getFalse());
  rest.replaceAllUsesWith(builder.CreateURem(size, of));
  rest.eraseFromParent();
}

} // namespace

void foldLikePtxas(Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : make_early_inc_range(instructions(function))) {
      foldConversion(instruction);
      foldRemainder(instruction);
    }
}

} // namespace heddle::ptx
