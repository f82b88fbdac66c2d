// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, and what the IR has an instruction for and the machine has not: divisions and the
// functions of the math library.
#include "lowering/MathCosts.h"
#include "lowering/steps/StepBuilder.h"

#include <llvm/IR/Constants.h>

namespace heddle::lowering {
namespace {

using namespace llvm;
using profile::Step;
using profile::StepKind;
using profile::Unit;

bool isWide(const Type* type) {
  return type->isPointerTy() || type->getPrimitiveSizeInBits() > 32;
}

} // namespace

/// Integer division has no instruction. By a constant it is a multiplication and shifts; otherwise
/// it goes through an approximate reciprocal, back, and corrects. The reciprocal of what a loop
/// does not change is made in front of it.
void StepBuilder::addDivision(const Instruction& instruction) {
  const bool wide = isWide(instruction.getType());
  const auto* divisor = dyn_cast<ConstantInt>(instruction.getOperand(1));
  const int result = numberOf(&instruction);
  const auto sequence = [&](Unit unit, int issues, int dependent, ArrayRef<int> operands) {
    emit({.unit = unit,
          .issues = std::uint16_t(issues),
          .dependent = std::uint16_t(dependent),
          .result = result},
         operands);
  };
  if (divisor != nullptr && divisor->getValue().isPowerOf2())
    return sequence(Unit::Int32, wide ? 4 : 2, 2, operandsOf(instruction));
  if (divisor != nullptr)
    return sequence(Unit::Int32, wide ? 14 : 4, wide ? 8 : 4, operandsOf(instruction));
  const bool isSigned =
      instruction.getOpcode() == Instruction::SDiv || instruction.getOpcode() == Instruction::SRem;
  const int signs = isSigned ? 4 : 0; // taken off first, and put on last
  const Loop* loop = flow_.loops.getLoopFor(instruction.getParent());
  if (loop != nullptr && !wide && instruction.isIntDivRem() &&
      loop->isLoopInvariant(instruction.getOperand(1))) {
    sequence(Unit::IntMultiply, 3, 3, operandsOf(instruction));
    return sequence(Unit::Int32, 6 + signs, 6 + signs / 2, {result});
  }
  sequence(Unit::Convert, 2, 2, operandsOf(instruction));
  sequence(Unit::Special, 1, 1, {result});
  sequence(Unit::IntMultiply, wide ? 20 : 5, wide ? 12 : 5, {result});
  sequence(Unit::Int32, (wide ? 30 : 8) + signs, (wide ? 18 : 8) + signs / 2, {result});
}

void StepBuilder::addFloatDivision(const Instruction& instruction) {
  const bool fast = instruction.hasApproxFunc() || instruction.hasAllowReciprocal();
  const MathCost cost = mathCost(instruction.getType()->isDoubleTy() ? "llvm.nvvm.div.rn.d"
                                 : fast                              ? "llvm.nvvm.div.approx.f"
                                                                     : "llvm.nvvm.div.rn.f");
  emit({.unit = cost.unit,
        .issues = std::uint16_t(cost.issues + cost.specials),
        .dependent = std::uint16_t(cost.dependent + cost.specials),
        .result = numberOf(&instruction)},
       operandsOf(instruction));
}

void StepBuilder::addArithmetic(const Instruction& instruction) {
  Type* type = instruction.getType();
  if (isa<CmpInst>(instruction))
    type = instruction.getOperand(0)->getType();
  const bool wide = isWide(type);
  Step step{
      .unit = Unit::Int32, .issues = std::uint16_t(wide ? 2 : 1), .result = numberOf(&instruction)};
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    step.unit = Unit::IntAdd;
    break;
  case Instruction::FCmp:
    step.unit = type->isDoubleTy() ? Unit::Fp64 : Unit::Int32;
    step.issues = 1;
    break;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    step.unit = type->isDoubleTy() ? Unit::Fp64 : Unit::Fp32;
    step.issues = 1;
    break;
  case Instruction::Mul:
    step.unit = Unit::IntMultiply;
    step.issues = wide ? 4 : 1;
    step.dependent = wide ? 2 : 1;
    break;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    step.unit = Unit::Shift;
    break;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    step.unit = Unit::Convert;
    step.issues = 1;
    break;
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    step.unit = type->isFloatTy() && !isWide(instruction.getOperand(0)->getType())
                    ? Unit::IntToFloat
                    : Unit::Convert;
    step.issues = 1;
    break;
  case Instruction::GetElementPtr: // a wide multiply-add, or a shift and an addition
    step.unit = Unit::IntAdd;
    step.issues = 1;
    break;
  case Instruction::InsertValue:
    step.issues = 1;
    break;
  default:
    break;
  }
  emit(step, operandsOf(instruction));
}

void StepBuilder::addMath(const CallInst& call) {
  const MathCost cost = mathCost(call.getCalledFunction()->getName());
  const int result = numberOf(&call);
  Operands operands = operandsOf(call);
  if (cost.specials > 0) {
    emit({.unit = Unit::Special, .issues = std::uint16_t(cost.specials), .result = result},
         operands);
    operands = {result};
  }
  if (cost.issues == 0 && cost.specials > 0)
    return;
  if (cost.issues == 0)
    return emit({.kind = StepKind::Merge, .issues = 0, .result = result}, operands);
  emit({.unit = cost.unit,
        .issues = std::uint16_t(cost.issues),
        .dependent = std::uint16_t(cost.dependent),
        .result = result},
       operands);
}

} // namespace heddle::lowering
