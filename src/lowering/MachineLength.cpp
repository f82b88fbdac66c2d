// SPDX-License-Identifier: Apache-2.0
#include "lowering/MachineLength.h"

#include "lowering/Calls.h"
#include "lowering/Fusion.h"
#include "lowering/SourceDivisions.h"
#include "lowering/steps/ModelSteps.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::lowering {
namespace {

using namespace llvm;

constexpr int lengthOfSharedFloatAdd = 6; ///< a loop of compare and swap, most often one turn
constexpr int lengthOfSharedAtomic = 1;
constexpr int lengthOfAggregation = 7; ///< vote, count, choose a lane
constexpr int lengthOfShare = 5;       ///< tell the others what the chosen lane got
constexpr unsigned sharedSpace = 3;

bool isWideInteger(const Type* type) {
  return type->isIntegerTy(64) || type->isPointerTy();
}

/// A logic operation can say whether its result is zero.
bool isTestOfLogic(const ICmpInst& comparison) {
  const auto* tested = dyn_cast<Instruction>(comparison.getOperand(0));
  const auto* zero = dyn_cast<Constant>(comparison.getOperand(1));
  return comparison.isEquality() && zero != nullptr && zero->isNullValue() && tested != nullptr &&
         isLogic(*tested) && !isWideInteger(tested->getType()) && onlyUser(*tested) == &comparison;
}

/// Conditions are joined by the comparison that makes the second one.
int lengthOfCondition(const Instruction& instruction) {
  for (const Value* operand : instruction.operands())
    if (const auto* made = dyn_cast<CmpInst>(operand);
        made != nullptr && onlyUser(*made) == &instruction)
      return 0;
  return 1;
}

int lengthOfAddress(const GetElementPtrInst& address) {
  if (address.hasAllConstantIndices())
    return 0;
  const unsigned space = address.getAddressSpace();
  const bool isShort = space == 3 || space == 5 || isa<AllocaInst>(address.getPointerOperand());
  int length = 0;
  for (const Value* index : address.indices()) {
    if (isa<Constant>(index))
      continue;
    const bool isExtended = isa<SExtInst, ZExtInst>(index);
    length += isShort || isExtended ? 1 : 2; // IMAD.WIDE, or LEA and LEA.HI.X
  }
  return length;
}

int lengthOfExtension(const CastInst& cast) {
  const Type* from = cast.getSrcTy();
  if (from->isIntegerTy(1))
    return 1;
  if (from->isIntegerTy(8) || from->isIntegerTy(16))
    return isa<LoadInst>(cast.getOperand(0)) ? 0 : 1;
  const bool onlyIndex = all_of(
      cast.users(), [](const User* user) { return isa<GetElementPtrInst, IntToPtrInst>(user); });
  return onlyIndex ? 0 : 1;
}

int lengthOfBinary(const BinaryOperator& operation) {
  const bool wide = isWideInteger(operation.getType());
  if (operation.getType()->isIntegerTy(1))
    return lengthOfCondition(operation);
  if (isAbsorbed(operation))
    return 0;
  switch (operation.getOpcode()) {
  case Instruction::Mul: {
    const auto isExtended = [](const Value* value) {
      return isa<SExtInst, ZExtInst, ConstantInt>(value);
    };
    return !wide || all_of(operation.operands(), isExtended) ? 1 : 4;
  }
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return !wide ? 1 : isa<ConstantInt>(operation.getOperand(1)) ? 2 : 3;
  default:
    return wide ? 2 : 1;
  }
}

/// Lanes that add the same to one place are counted first, and one of them adds.
int lengthOfAtomic(const AtomicRMWInst& atomic, function_ref<bool(const Value&)> isUniform) {
  const bool isShared = atomic.getPointerAddressSpace() == sharedSpace;
  const bool isFloat = atomic.getType()->isFloatingPointTy();
  if (isShared)
    return isFloat || isWideInteger(atomic.getType()) ? lengthOfSharedFloatAdd
                                                      : lengthOfSharedAtomic;
  const bool isAddition =
      atomic.getOperation() == AtomicRMWInst::Add || atomic.getOperation() == AtomicRMWInst::Sub;
  if (isAddition && isUniform(*atomic.getPointerOperand()) && isUniform(*atomic.getValOperand()))
    return lengthOfAggregation + (atomic.use_empty() ? 0 : lengthOfShare);
  return 1;
}

int lengthOfCallTo(const CallInst& call, const FlowFacts& flow) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || (!callee->isDeclaration() && !callee->isIntrinsic()))
    return lengthOfCall;
  const StringRef name = callee->getName();
  if (name.contains("sreg.nctaid"))
    return 0; // a constant
  if (call.getIntrinsicID() == Intrinsic::fabs || call.getIntrinsicID() == Intrinsic::nvvm_fabs_f)
    return 0;
  if (name.contains("membar"))
    return 2;
  if (name.starts_with("__nv_") || !name.starts_with("llvm.nvvm"))
    return sequenceLength(call, flow);
  return name.contains("read.ptx.sreg") || name.contains(".sync") ? 1 : sequenceLength(call, flow);
}

} // namespace

int machineLength(const Instruction& instruction, const FlowFacts& flow,
                  function_ref<bool(const Value&)> isUniform) {
  if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd() ||
      instruction.getMetadata("heddle.address") != nullptr ||
      isa<PHINode, AllocaInst, UnreachableInst, FreezeInst, AddrSpaceCastInst, BitCastInst,
          PtrToIntInst, IntToPtrInst, TruncInst, ExtractValueInst, ExtractElementInst,
          InsertValueInst, InsertElementInst, ShuffleVectorInst>(instruction))
    return 0;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
    return 0;
  if (isDivision(instruction) || instruction.getOpcode() == Instruction::FDiv)
    return sequenceLength(instruction, flow);
  if (const auto* branch = dyn_cast<BranchInst>(&instruction))
    return branch->isConditional() ? 1 : 0;
  if (const auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return lengthOfAddress(*address);
  if (isa<SExtInst, ZExtInst>(instruction))
    return lengthOfExtension(cast<CastInst>(instruction));
  if (const auto* comparison = dyn_cast<ICmpInst>(&instruction)) {
    const bool wide = isWideInteger(comparison->getOperand(0)->getType());
    return isTestOfLogic(*comparison) ? 0 : wide ? 2 : 1;
  }
  if (instruction.getOpcode() == Instruction::FNeg)
    return 0;
  if (const auto* operation = dyn_cast<BinaryOperator>(&instruction))
    return lengthOfBinary(*operation);
  if (isa<SelectInst>(instruction))
    return instruction.getType()->isIntegerTy(1)  ? lengthOfCondition(instruction)
           : isWideInteger(instruction.getType()) ? 2
                                                  : 1;
  if (const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return lengthOfAtomic(*atomic, isUniform);
  if (const auto* call = dyn_cast<CallInst>(&instruction))
    return lengthOfCallTo(*call, flow);
  return 1;
}

} // namespace heddle::lowering
