// SPDX-License-Identifier: Apache-2.0
#include "ptx/NanSigns.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// Behind what only moves bits.
const Value* behindMoves(const Value* value) {
  while (isa<BitCastInst>(value))
    value = cast<BitCastInst>(value)->getOperand(0);
  return value;
}

bool isArithmetic(const Value* value) {
  if (isa<BinaryOperator>(value) || isa<UnaryOperator>(value) || isa<FPTruncInst>(value))
    return value->getType()->isFloatTy();
  const auto* call = dyn_cast<IntrinsicInst>(value);
  return call != nullptr && call->getType()->isFloatTy() &&
         call->getIntrinsicID() != Intrinsic::copysign;
}

/// Whether every way that a value may come from is arithmetic, or a number that is known.
bool isComputed(const Value* value) {
  SmallPtrSet<const Value*, 8> seen;
  SmallVector<const Value*, 8> work = {value};
  while (!work.empty()) {
    const Value* next = behindMoves(work.pop_back_val());
    if (!seen.insert(next).second || isArithmetic(next) || isa<ConstantFP>(next))
      continue;
    if (const auto* select = dyn_cast<SelectInst>(next))
      work.append({select->getTrueValue(), select->getFalseValue()});
    else if (const auto* phi = dyn_cast<PHINode>(next))
      append_range(work, phi->incoming_values());
    else
      return false;
  }
  return true;
}

} // namespace

void correctNanSigns(Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = dyn_cast<IntrinsicInst>(&instruction);
      if (call == nullptr || call->getIntrinsicID() != Intrinsic::copysign ||
          !call->getType()->isFloatTy() || !isComputed(call->getArgOperand(1)))
        continue;
      IRBuilder<> builder(call);
      Value* sign = call->getArgOperand(1);
      Value* isNan = builder.CreateFCmpUNO(sign, sign);
      call->setArgOperand(1,
                          builder.CreateSelect(isNan, ConstantFP::getZero(sign->getType()), sign));
    }
}

} // namespace heddle::ptx
