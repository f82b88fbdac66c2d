// SPDX-License-Identifier: Apache-2.0
#include "lowering/registers/RegisterCost.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::lowering {
namespace {

const llvm::StringMap<int>& table() {
  static const llvm::StringMap<int> entries = {
#define HEDDLE_OPERATION(name, registers) {name, registers},
#include "lowering/registers/OperationRegisters.def"
#undef HEDDLE_OPERATION
  };
  return entries;
}

std::string nameOf(const llvm::Instruction& instruction) {
  const llvm::Type& type = *instruction.getType();
  const char* kind = type.isDoubleTy() ? ".f64" : type.isFloatTy() ? ".f32" : nullptr;
  if (type.isIntegerTy())
    kind = type.getIntegerBitWidth() > 32 ? ".i64" : ".i32";
  if (kind == nullptr)
    return "";
  return std::string(instruction.getOpcodeName()) + kind;
}

} // namespace

int temporaryRegisters(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call != nullptr) {
    const llvm::Function* callee = call->getCalledFunction();
    return callee == nullptr ? 0 : table().lookup(callee->getName());
  }
  switch (instruction.getOpcode()) {
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
    if (llvm::isa<llvm::Constant>(instruction.getOperand(1)))
      return 0;
    return table().lookup(nameOf(instruction));
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
    return table().lookup(nameOf(instruction));
  default:
    return 0;
  }
}

} // namespace heddle::lowering
