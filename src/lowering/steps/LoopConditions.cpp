// SPDX-License-Identifier: Apache-2.0
#include "lowering/steps/LoopConditions.h"

#include <llvm/IR/Instructions.h>

namespace heddle::lowering {
namespace {

using namespace llvm;

/// The instructions of a loop's last block that decide whether it goes round again and need only
/// what the loop began its turn with, a counter most of all.
SmallVector<const Instruction*, 2>
loopCondition(const BranchInst& branch, const DominatorTree& dominators, const BasicBlock& first) {
  const auto isKnown = [&](const Value* value) {
    const auto* instruction = dyn_cast<Instruction>(value);
    return instruction == nullptr ||
           (isa<PHINode>(instruction) && instruction->getParent() == &first) ||
           dominators.properlyDominates(instruction->getParent(), &first);
  };
  SmallVector<const Instruction*, 2> found;
  const auto* comparison = dyn_cast<CmpInst>(branch.getCondition());
  if (comparison == nullptr || comparison->getParent() != branch.getParent())
    return found;
  for (const Value* operand : comparison->operands()) {
    if (isKnown(operand))
      continue;
    const auto* step = dyn_cast<BinaryOperator>(operand);
    if (step == nullptr || step->getParent() != branch.getParent() ||
        !all_of(step->operands(), isKnown))
      return {};
    found.push_back(step);
  }
  found.push_back(comparison);
  return found;
}

} // namespace

LoopConditions::LoopConditions(const FlowFacts& flow) {
  for (const Loop* loop : flow.loops.getLoopsInPreorder()) {
    const BasicBlock* last = loop->getLoopLatch();
    const BasicBlock* first = loop->getHeader();
    const auto* branch = last == nullptr ? nullptr : dyn_cast<BranchInst>(last->getTerminator());
    if (branch == nullptr || !branch->isConditional() || last == first)
      continue;
    for (const Instruction* instruction : loopCondition(*branch, flow.dominators, *first)) {
      early[first].push_back(instruction);
      isEarly.insert(instruction);
    }
  }
}

} // namespace heddle::lowering
