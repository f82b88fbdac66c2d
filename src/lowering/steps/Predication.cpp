// SPDX-License-Identifier: Apache-2.0
#include "lowering/steps/Predication.h"

#include "lowering/steps/StepSchedule.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace heddle::lowering {
namespace {

using namespace llvm;
using profile::Step;
using profile::StepKind;
using profile::Unit;

/// The sides of a branch that is better not taken: each runs on to where the other one ends or
/// begins, is reached only from here, and is short.
SmallVector<const BasicBlock*, 2> shortSides(const BasicBlock& block) {
  const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return {};
  const auto isSide = [&](const BasicBlock* side) {
    return side->getSinglePredecessor() == &block && side->getSingleSuccessor() != nullptr;
  };
  const BasicBlock* yes = branch->getSuccessor(0);
  const BasicBlock* no = branch->getSuccessor(1);
  if (yes != no && isSide(yes) && isSide(no) &&
      yes->getSingleSuccessor() == no->getSingleSuccessor())
    return {yes, no};
  if (isSide(yes) && yes->getSingleSuccessor() == no)
    return {yes};
  if (isSide(no) && no->getSingleSuccessor() == yes)
    return {no};
  return {};
}

/// ptxas jumps where the sides have more instructions than this, or something that all lanes do
/// together.
bool canBePredicated(ArrayRef<BlockSteps*> sides) {
  constexpr int longest = 14;
  int issues = 0;
  for (const BlockSteps* side : sides)
    for (const Step& step : side->own) {
      if (step.kind == StepKind::Branch)
        continue;
      if (step.kind == StepKind::Barrier || step.kind == StepKind::Fence ||
          step.waitsForPredicate || step.unit == Unit::Control)
        return false;
      issues += step.issues;
    }
  return issues <= longest;
}

void dropBranch(std::vector<Step>& steps) {
  if (!steps.empty() && steps.back().kind == StepKind::Branch)
    steps.pop_back();
}

void addOperand(Step& step, int value) {
  if (int* free = llvm::find(step.operands, profile::noValue); free != step.operands.end())
    *free = value;
}

/// Both sides run behind the condition, and then what follows them, in one sequence. Sides with
/// accesses stay where they are, since only one that some lane takes moves bytes.
void runBothSides(BlockSteps& head, ArrayRef<BlockSteps*> sides, int copies, BlockSteps* join,
                  int& values) {
  for (BlockSteps* side : sides)
    dropBranch(side->own);
  const auto isAccess = [](const Step& step) { return step.kind == StepKind::Access; };
  if (any_of(sides, [&](const auto* side) { return any_of(side->own, isAccess); })) {
    head.own.back().kind = StepKind::Compute; // waits for the condition
    head.own.back().issues = 0;
    return;
  }
  Step& condition = head.own.back(); // from here on it only says when the lanes are known
  condition = {.kind = StepKind::Merge,
               .issues = 0,
               .waitsForPredicate = true,
               .result = values++,
               .operands = condition.operands};
  std::vector<Step> all = head.own;
  for (BlockSteps* side : sides)
    for (Step step : side->own) {
      addOperand(step, condition.result);
      all.push_back(step);
    }
  for (int i = 0; i < copies; ++i)
    all.push_back({.unit = Unit::IntAdd, .operands = head.own.back().operands});
  if (join != nullptr) {
    append_range(all, join->run());
    join->issued.emplace();
  }
  scheduleSteps(all);
  head.issued = std::move(all);
  for (BlockSteps* side : sides)
    side->issued.emplace();
}

/// Values that both sides write: the first must not overwrite what the second one reads.
int countCopies(ArrayRef<const BasicBlock*> sides) {
  if (sides.size() < 2)
    return 0;
  return int(count_if(sides.front()->getSingleSuccessor()->phis(), [&](const PHINode& phi) {
    return all_of(sides, [&](const BasicBlock* side) {
      const auto* value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(side));
      return value != nullptr && value->getParent() == side;
    });
  }));
}

/// Where the sides go on, if it can only be reached through them.
const BasicBlock* joinOf(const BasicBlock& head, ArrayRef<const BasicBlock*> sides) {
  const BasicBlock* join = sides.front()->getSingleSuccessor();
  return all_of(predecessors(join),
                [&](const BasicBlock* from) { return from == &head || is_contained(sides, from); })
             ? join
             : nullptr;
}

} // namespace

void predicateShortSides(ArrayRef<BasicBlock*> blocks, std::vector<BlockSteps>& steps,
                         int& values) {
  DenseMap<const BasicBlock*, BlockSteps*> stepsOf;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    stepsOf[blocks[i]] = &steps[i];
  for (const BasicBlock* block : reverse(blocks)) { // what follows a branch before the branch
    const SmallVector<const BasicBlock*, 2> found = shortSides(*block);
    SmallVector<BlockSteps*, 2> sides;
    for (const BasicBlock* side : found)
      sides.push_back(stepsOf.lookup(side));
    if (!sides.empty() && !is_contained(sides, nullptr) && canBePredicated(sides))
      runBothSides(*stepsOf[block], sides, countCopies(found),
                   stepsOf.lookup(joinOf(*block, found)), values);
  }
}

} // namespace heddle::lowering
