// SPDX-License-Identifier: Apache-2.0
#include "lowering/SourceDivisions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace heddle::lowering {
namespace {

constexpr const char* divisionMetadata = "heddle.division";

/// The mask of the remainder by `divisor`, less the bits that the other side never has.
bool isMaskOf(const llvm::Value& mask, const llvm::Value*& divisor) {
  using namespace llvm::PatternMatch;
  llvm::Value* from = nullptr;
  const llvm::APInt* constant = nullptr;
  if (!match(&mask, m_Add(m_Value(from), m_APInt(constant))) || !constant->isMask())
    return false;
  divisor = from;
  return true;
}

/// Whether a loop doubles or halves it: nvcc follows shifts and choices, but no loop.
bool comesFromALoop(const llvm::Value* value) {
  using namespace llvm::PatternMatch;
  llvm::Value* from = nullptr;
  while (match(value, m_Shl(m_Value(from), m_Constant())) ||
         match(value, m_LShr(m_Value(from), m_Constant())) ||
         match(value, m_ZExtOrSExt(m_Value(from))) || match(value, m_Trunc(m_Value(from))))
    value = from;
  return llvm::isa<llvm::PHINode>(value);
}

/// Clang puts both instructions where the operator stood. What is written `x & (y - 1)` has a place
/// for each.
bool standAtOnePlace(const llvm::Instruction& instruction, const llvm::Value& other) {
  const llvm::DebugLoc& here = instruction.getDebugLoc();
  const auto* from = llvm::dyn_cast<llvm::Instruction>(&other);
  return from != nullptr && here && here.getLine() != 0 && from->getDebugLoc() == here;
}

bool isRemainder(const llvm::Instruction& instruction) {
  if (instruction.getOpcode() != llvm::Instruction::And)
    return false;
  const llvm::DataLayout& layout = instruction.getDataLayout();
  for (const llvm::Value* mask : instruction.operands()) {
    const llvm::Value* divisor = nullptr;
    if (isMaskOf(*mask, divisor) && standAtOnePlace(instruction, *mask) &&
        comesFromALoop(divisor) &&
        llvm::isKnownToBeAPowerOfTwo(divisor, layout, /*OrZero=*/true, /*Depth=*/0,
                                     /*AC=*/nullptr, &instruction))
      return true;
  }
  return false;
}

} // namespace

void markDivisions(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (isRemainder(instruction))
        instruction.setMetadata(divisionMetadata, llvm::MDNode::get(module.getContext(), {}));
}

bool isDivision(const llvm::Instruction& instruction) {
  return instruction.isIntDivRem() || instruction.getMetadata(divisionMetadata) != nullptr;
}

} // namespace heddle::lowering
