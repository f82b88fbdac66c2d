// SPDX-License-Identifier: Apache-2.0
#include "lowering/steps/StepBuilder.h"

#include "lowering/Fusion.h"
#include "lowering/SourceDivisions.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace heddle::lowering {
namespace {

using namespace llvm;
using profile::Step;
using profile::StepKind;
using profile::Unit;

/// A selection of floats of which one was made for it alone: the instruction that makes it
/// overwrites the other one, where its predicate says so.
bool isFoldedSelection(const Instruction& instruction) {
  const auto* select = dyn_cast<SelectInst>(&instruction);
  if (select == nullptr || !select->getType()->isFloatTy())
    return false;
  return any_of(ArrayRef<const Value*>{select->getTrueValue(), select->getFalseValue()},
                [&](const Value* value) {
                  const auto* maker = dyn_cast<Instruction>(value);
                  return maker != nullptr && maker->hasOneUse() &&
                         maker->getParent() == select->getParent() &&
                         (maker->isBinaryOp() || isa<CallInst>(maker));
                });
}

} // namespace

/// Where two sides of a branch meet: to jump here, or to wait here for the other side, takes time.
/// A loop's first block is no such place: it follows what comes before it.
bool StepBuilder::isJoin(const BasicBlock& block) const {
  return block.hasNPredecessorsOrMore(2) &&
         none_of(predecessors(&block),
                 [&](const BasicBlock* from) { return flow_.dominators.dominates(&block, from); });
}

/// Where the sides of a branch inside a loop's turn meet again; nothing for one that leaves the
/// loop or goes round.
const BasicBlock* StepBuilder::meetingPoint(const BasicBlock* block) const {
  const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return nullptr;
  const Loop* loop = flow_.loops.getLoopFor(block);
  for (const BasicBlock* next : successors(block))
    if (loop != nullptr && (!loop->contains(next) || next == loop->getHeader()))
      return nullptr;
  const auto* after = flow_.postDominators.getNode(block)->getIDom();
  return after == nullptr ? nullptr : after->getBlock();
}

/// Casts, freezes and constant offsets: their value is there when their operand is.
bool StepBuilder::isPassedOn(const Instruction& instruction) const {
  if (facts_.isFree(instruction) && instruction.getNumOperands() > 0)
    return true;
  if (isa<SExtInst, ZExtInst, TruncInst, BitCastInst, PtrToIntInst, IntToPtrInst, AddrSpaceCastInst,
          FreezeInst, ExtractValueInst, ExtractElementInst>(instruction))
    return !instruction.getOperand(0)->getType()->isIntegerTy(1);
  if (instruction.getOpcode() == Instruction::FNeg)
    return true;
  const auto* address = dyn_cast<GetElementPtrInst>(&instruction);
  return address != nullptr && address->hasAllConstantIndices();
}

int StepBuilder::numberOf(const Value* value) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr)
    return profile::noValue; // constants and arguments are there from the beginning
  if (isPassedOn(*instruction))
    return numberOf(instruction->getOperand(0));
  const auto [place, isNew] = numbers_.try_emplace(value, values_);
  values_ += isNew ? 1 : 0;
  return place->second;
}

StepBuilder::Operands StepBuilder::operandsOf(const Instruction& instruction) {
  Operands numbers;
  const auto want = [&](const Value* value) {
    const int number = numberOf(value);
    if (number != profile::noValue && !is_contained(numbers, number))
      numbers.push_back(number);
  };
  const Instruction* product = fusedProduct(instruction);
  for (const Value* operand : instruction.operands()) {
    if (operand != product) {
      want(operand);
      continue;
    }
    for (const Value* factor : product->operands())
      want(factor);
  }
  return numbers;
}

void StepBuilder::emit(Step step, ArrayRef<int> operands) {
  for (std::size_t i = 0; i < std::min(operands.size(), step.operands.size()); ++i)
    step.operands[i] = operands[i];
  steps_->push_back(step);
}

/// More places than a step has operands become several steps.
void StepBuilder::merge(const PHINode& phi) {
  const int result = numberOf(&phi);
  Operands from = operandsOf(phi);
  Step step{.kind = StepKind::Merge, .issues = 0, .result = result};
  constexpr std::size_t most = 4;
  emit(step, ArrayRef(from).take_front(most));
  for (std::size_t i = most; i < from.size(); i += most - 1) {
    Operands more = {result};
    append_range(more, ArrayRef(from).slice(i, std::min(most - 1, from.size() - i)));
    emit(step, more);
  }
}

/// A machine has seven predicates, so that few comparisons outlive their block: a branch that needs
/// one from elsewhere makes it again, and loads the kernel's arguments for that.
int StepBuilder::compareAgain(const CmpInst& comparison) {
  Operands operands;
  for (const Value* operand : comparison.operands()) {
    if (!isa<Argument>(operand)) {
      operands.push_back(numberOf(operand));
      continue;
    }
    operands.push_back(values_++);
    emit({.kind = StepKind::Access,
          .unit = Unit::LoadStore,
          .space = profile::MemorySpace::Shared, // constants lie about as near
          .bytes = 4,
          .result = operands.back()},
         {});
  }
  const int result = values_++;
  emit({.unit = Unit::Int32, .result = result}, operands);
  return result;
}

void StepBuilder::addBranch(const BranchInst& branch) {
  Step step{
      .kind = StepKind::Branch, .unit = Unit::Control, .waitsForPredicate = branch.isConditional()};
  if (!branch.isConditional()) {
    step.marksMeeting = true;
    if (isJoin(*branch.getSuccessor(0)))
      emit(step, {});
    return;
  }
  // The first of the branches with one meeting point says where that is.
  const BasicBlock* meeting = meetingPoint(branch.getParent());
  const auto* above = flow_.dominators.getNode(branch.getParent())->getIDom();
  while (above != nullptr && above->getBlock()->getSingleSuccessor() != nullptr)
    above = above->getIDom();
  if (meeting != nullptr && (above == nullptr || meetingPoint(above->getBlock()) != meeting))
    step.marksMeeting = true;
  const auto* comparison = dyn_cast<CmpInst>(branch.getCondition());
  if (comparison != nullptr && comparison->getParent() != branch.getParent())
    return emit(step, {compareAgain(*comparison)});
  emit(step, operandsOf(branch));
}

void StepBuilder::add(const Instruction& instruction) {
  if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd() ||
      isa<AllocaInst, UnreachableInst>(instruction) || isPassedOn(instruction) ||
      isFusedProduct(instruction))
    return;
  if (const auto* phi = dyn_cast<PHINode>(&instruction))
    return merge(*phi);
  if (isa<LoadInst>(instruction))
    return addAccess(instruction, profile::AccessKind::Load);
  if (isa<StoreInst>(instruction))
    return addAccess(instruction, profile::AccessKind::Store);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return addAccess(instruction, profile::AccessKind::Atomic);
  if (isa<FenceInst>(instruction))
    return emit({.kind = StepKind::Fence, .unit = Unit::Control}, {});
  if (const auto* branch = dyn_cast<BranchInst>(&instruction))
    return addBranch(*branch);
  if (isa<ReturnInst>(instruction))
    return emit({.unit = Unit::Control}, {});
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
    if (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
      return;
    return addCall(*call);
  }
  if (isDivision(instruction))
    return addDivision(instruction);
  if (instruction.getOpcode() == Instruction::FDiv)
    return addFloatDivision(instruction);
  // The parts of a wide access lie in neighbouring registers from the beginning.
  if (isa<InsertElementInst>(instruction) || isFoldedSelection(instruction))
    return emit({.kind = StepKind::Merge, .issues = 0, .result = numberOf(&instruction)},
                operandsOf(instruction));
  addArithmetic(instruction);
}

} // namespace heddle::lowering
