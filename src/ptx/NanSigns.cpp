// SPDX-License-Identifier: Apache-2.0
//
// For the sign that a `copysign` reads, an integer is built that has the NaN of a GPU in its top
// bit: along all arithmetic that the sign may come from, back to where numbers were loaded.
//
//   %x = fmul double %a, %b                  on a GPU, the last operand that is a NaN goes on
//   %s = isNan(%b) ? bits(%b) : isNan(%a) ? bits(%a) : negative
#include "ptx/NanSigns.h"

#include "ptx/FusableOperation.h"
#include "ptx/FuseProducts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::ptx {

using namespace llvm;

namespace {

constexpr StringLiteral doneMark = "heddle.nan.sign", ownPrefix = "heddle.ptx.";

/// Which operand's NaN the result of an operation has: the first of these that is one.
struct NanOrder {
  bool isKnown = false;
  SmallVector<unsigned, 3> operands = {};
};

/// Of a function for doubles: `llvm.fma.f64`, `llvm.nvvm.add.rz.d`, `llvm.nvvm.d2f.rp`.
NanOrder operationNamed(StringRef name) {
  if (!name.consume_front("llvm.") || name.contains(".approx"))
    return {};
  name.consume_front("nvvm.");
  return StringSwitch<NanOrder>(name.split('.').first)
      .Cases("add", "mul", "fmin", "fmax", {true, {1, 0}})
      .Case("fma", {true, {1, 2, 0}})
      .Case("div", {true, {0, 1}})
      .Cases("rcp", "sqrt", "fabs", "d2f", {true, {0}})
      .Cases("roundeven", "trunc", "floor", "ceil", {true, {0}})
      .Default({});
}

/// Of what has doubles for operands. A change of sign does not touch a NaN.
NanOrder operationOf(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
    return {true, {1, 0}};
  case llvm::Instruction::FDiv:
    return {true, {0, 1}};
  case llvm::Instruction::FNeg:
  case llvm::Instruction::FPTrunc:
    return {true, {0}};
  default:
    return operationNamed(calledName(&instruction));
  }
}

bool hasDoubles(const llvm::Instruction& instruction) {
  return instruction.getNumOperands() > 0 && instruction.getOperand(0)->getType()->isDoubleTy();
}

/// Arithmetic of floats, or what makes one of a half. (bfloat16 is only moved, as by a shuffle.)
bool makesFloat(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isFloatTy() || hasDoubles(instruction))
    return false;
  if (isa<BinaryOperator>(instruction) || isa<UnaryOperator>(instruction))
    return true;
  const auto* call = dyn_cast<CallInst>(&instruction);
  const StringRef name = calledName(&instruction);
  return call != nullptr && call->doesNotAccessMemory() && !call->isConvergent() &&
         (isa<IntrinsicInst>(call) ? !name.starts_with("llvm.copysign")
                                   : name.starts_with(ownPrefix) && !name.ends_with("widen.bf16"));
}

/// Behind what only moves bits, if that has the same type.
Value* behindCasts(Value* value) {
  Value* source = value;
  while (isa<BitCastInst>(source))
    source = cast<BitCastInst>(source)->getOperand(0);
  return source->getType() == value->getType() ? source : value;
}

class NanBits {
public:
  explicit NanBits(llvm::Function& function) : function_(function) {}

  /// The sign that a number has on a GPU if it is a NaN, as the top bit of an integer of its size;
  /// nothing where it has the same here.
  Value* corrected(Value* value) {
    value = behindCasts(value);
    const auto* instruction = dyn_cast<llvm::Instruction>(value);
    return instruction != nullptr && mayDiffer(*instruction) ? of(value) : nullptr;
  }

private:
  static bool mayDiffer(const llvm::Instruction& instruction) {
    return isa<SelectInst>(instruction) || isa<PHINode>(instruction) || isWidening(instruction) ||
           makesFloat(instruction) || (hasDoubles(instruction) && operationOf(instruction).isKnown);
  }

  static bool isWidening(const llvm::Instruction& instruction) {
    return isa<FPExtInst>(instruction) && instruction.getOperand(0)->getType()->isFloatTy();
  }

  static IntegerType* integerFor(const Value* value) {
    return IntegerType::get(value->getContext(), value->getType()->getScalarSizeInBits());
  }

  Value* of(Value* value) {
    value = behindCasts(value);
    if (const auto found = made_.find(value); found != made_.end())
      return found->second;
    auto* instruction = dyn_cast<llvm::Instruction>(value);
    if (auto* choice = dyn_cast<PHINode>(value))
      return ofPhi(*choice);
    Value* bits = instruction == nullptr ? stored(value) : ofInstruction(*instruction);
    made_[value] = bits;
    return bits;
  }

  Value* ofPhi(PHINode& choice) {
    IRBuilder<> builder(&choice);
    PHINode* bits = builder.CreatePHI(integerFor(&choice), choice.getNumIncomingValues());
    made_[&choice] = bits;
    for (const unsigned i : seq(choice.getNumIncomingValues()))
      bits->addIncoming(of(choice.getIncomingValue(i)), choice.getIncomingBlock(i));
    return bits;
  }

  /// As it is.
  Value* stored(Value* value) {
    if (auto* constant = dyn_cast<Constant>(value))
      return ConstantExpr::getBitCast(constant, integerFor(value));
    IRBuilder<> builder(function_.getContext());
    place(builder, value);
    return builder.CreateBitCast(value, integerFor(value));
  }

  /// Behind a value.
  void place(IRBuilder<>& builder, Value* value) const {
    auto* instruction = dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr)
      builder.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    else
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
  }

  Value* ofInstruction(llvm::Instruction& instruction) {
    IntegerType* type = integerFor(&instruction);
    if (makesFloat(instruction))
      return ConstantInt::get(type, 0);
    IRBuilder<> builder(function_.getContext());
    if (auto* select = dyn_cast<SelectInst>(&instruction)) {
      Value *yes = of(select->getTrueValue()), *no = of(select->getFalseValue());
      place(builder, &instruction);
      return builder.CreateSelect(select->getCondition(), yes, no);
    }
    if (isWidening(instruction)) {
      Value* bits = of(instruction.getOperand(0));
      place(builder, &instruction);
      return builder.CreateShl(builder.CreateZExt(bits, type), 32);
    }
    const NanOrder operation = hasDoubles(instruction) ? operationOf(instruction) : NanOrder{};
    return operation.isKnown ? ofOperation(instruction, operation) : stored(&instruction);
  }

  Value* ofOperation(llvm::Instruction& instruction, const NanOrder& operation) {
    SmallVector<Value*, 3> nans;
    for (const unsigned index : operation.operands)
      nans.push_back(of(instruction.getOperand(index)));
    IRBuilder<> builder(function_.getContext());
    place(builder, &instruction);
    Value* bits = ConstantInt::get(nans[0]->getType(), APInt::getSignMask(64)); // the GPU's own
    for (std::size_t i = nans.size(); i-- > 0;) {
      Value* operand = instruction.getOperand(operation.operands[i]);
      bits = builder.CreateSelect(builder.CreateFCmpUNO(operand, operand), nans[i], bits);
    }
    if (!instruction.getType()->isFloatTy())
      return bits;
    return builder.CreateTrunc(builder.CreateLShr(bits, 32), builder.getInt32Ty());
  }

  llvm::Function& function_;
  DenseMap<Value*, Value*> made_;
};

bool readsSign(const llvm::Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == Intrinsic::copysign &&
         (call->getType()->isFloatTy() || call->getType()->isDoubleTy()) &&
         call->getMetadata(doneMark) == nullptr;
}

} // namespace

void correctNanSigns(Module& module) {
  for (llvm::Function& function : module) {
    NanBits bits(function);
    SmallVector<llvm::Instruction*, 8> found;
    for (llvm::Instruction& instruction : instructions(function))
      if (readsSign(instruction))
        found.push_back(&instruction);
    for (llvm::Instruction* call : found) {
      call->setMetadata(doneMark, MDNode::get(module.getContext(), {}));
      Value* sign = call->getOperand(1);
      Value* corrected = bits.corrected(sign);
      if (corrected == nullptr)
        continue;
      IRBuilder<> builder(call);
      Value* isNan = builder.CreateFCmpUNO(sign, sign);
      Value* nan = builder.CreateBitCast(corrected, sign->getType());
      call->setOperand(1, builder.CreateSelect(isNan, nan, sign));
    }
    if (!found.empty()) // ptxas may have swapped, shared or folded what a sign comes from
      leaveOpen(function);
  }
}

} // namespace heddle::ptx
