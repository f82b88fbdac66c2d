// SPDX-License-Identifier: Apache-2.0
#include "analysis/AddressedVariable.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace heddle::analysis {
namespace {

using ValueList = llvm::SmallVector<const llvm::Value*, 16>;

/// Of the values that one address is made of; more than that is not worth a look.
constexpr unsigned maxValues = 128;

/// Whether a value is computed without the address of a variable. What comes from memory, from a
/// call or from the caller is taken for a number, too.
bool isNumber(const llvm::Value& value) {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  ValueList work = {&value};
  while (!work.empty()) {
    const llvm::Value* at = work.pop_back_val();
    if (llvm::isa<llvm::GlobalValue>(at) || seen.size() > maxValues)
      return false;
    const auto* made = llvm::dyn_cast<llvm::User>(at);
    if (made == nullptr || llvm::isa<llvm::LoadInst, llvm::CallBase>(at) || !seen.insert(at).second)
      continue;
    work.append(made->op_begin(), made->op_end());
  }
  return true;
}

/// The operand of a sum that the other is added to.
const llvm::Value* baseOfSum(const llvm::Operator& sum) {
  for (const unsigned base : {0u, 1u})
    if (isNumber(*sum.getOperand(1 - base)))
      return sum.getOperand(base);
  return nullptr;
}

bool isDisjointOr(const llvm::Value& value) {
  const auto* made = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&value);
  return made != nullptr && made->isDisjoint();
}

/// The values of which each is in the same variable as this one, if it is in one; nothing where
/// that is not known.
ValueList basesOf(const llvm::Value& value) {
  if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(&value))
    return llvm::all_of(address->indices(), [](const llvm::Use& use) { return isNumber(*use); })
               ? ValueList{address->getPointerOperand()}
               : ValueList{};
  if (const auto* merge = llvm::dyn_cast<llvm::PHINode>(&value))
    return ValueList(merge->op_begin(), merge->op_end());
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&value))
    return {choice->getTrueValue(), choice->getFalseValue()};
  const auto* made = llvm::dyn_cast<llvm::Operator>(&value);
  const llvm::Value* base = nullptr;
  switch (made == nullptr ? 0 : made->getOpcode()) {
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
    base = made->getOperand(0);
    break;
  case llvm::Instruction::Add:
    base = baseOfSum(*made);
    break;
  case llvm::Instruction::Or:
    base = isDisjointOr(value) ? baseOfSum(*made) : nullptr;
    break;
  case llvm::Instruction::Sub:
    base = isNumber(*made->getOperand(1)) ? made->getOperand(0) : nullptr;
    break;
  default:
    break;
  }
  return base == nullptr ? ValueList{} : ValueList{base};
}

} // namespace

const llvm::GlobalVariable* variableAddressedBy(const llvm::Value& address) {
  const llvm::GlobalVariable* found = nullptr;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  ValueList work = {&address};
  while (!work.empty()) {
    const llvm::Value* at = work.pop_back_val();
    if (!seen.insert(at).second)
      continue;
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(at)) {
      if (found != nullptr && found != variable)
        return nullptr;
      found = variable;
      continue;
    }
    const ValueList bases = basesOf(*at);
    if (bases.empty() || seen.size() > maxValues)
      return nullptr;
    work.append(bases);
  }
  return found;
}

} // namespace heddle::analysis
