// SPDX-License-Identifier: Apache-2.0
#include "analysis/InstructionMix.h"

#include "analysis/MathCosts.h"
#include "analysis/SourceDivisions.h"
#include "analysis/StepSchedule.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heddle::analysis {
namespace {

using namespace llvm;
using profile::Step;
using profile::StepKind;
using profile::Unit;

constexpr int issuesOfCall = 8; ///< arguments, jump, frame
constexpr unsigned constantAddressSpace = 4;

bool isWide(const Type* type) {
  return type->isPointerTy() || type->getPrimitiveSizeInBits() > 32;
}

bool isBuiltinCall(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && (callee->isIntrinsic() || callee->getName().starts_with("__nv_"));
}

class Builder {
public:
  Builder(const Function& function, const ShapeHints& hints, profile::KernelShape& to)
      : hints_(hints), to_(to), dominators_(const_cast<Function&>(function)),
        postDominators_(const_cast<Function&>(function)), loops_(dominators_) {
    findLoopConditions();
  }

  void add(const BasicBlock& block);
  void addAlone(const Instruction& instruction);

private:
  using Operands = SmallVector<int, 4>;

  int numberOf(const Value* value);
  bool isPassedOn(const Instruction& instruction) const;
  static const Instruction* fusedProduct(const Instruction& sum);
  static bool isFused(const Instruction& product);
  Operands operandsOf(const Instruction& instruction);
  void emit(Step step, ArrayRef<int> operands);
  void merge(const PHINode& phi);
  void addInstruction(const Instruction& instruction);
  void addArithmetic(const Instruction& instruction);
  void addFloatDivision(const Instruction& instruction);
  void addBranch(const BranchInst& branch);
  int compareAgain(const CmpInst& comparison);
  void addDivision(const Instruction& instruction);
  void addCall(const CallInst& call);
  void gatherFor(const CallInst& call);
  bool isDivided(const BasicBlock& block) const;
  void addMath(const CallInst& call);
  void addAccess(const Instruction& instruction, int site, profile::AccessKind kind);

  bool isJoin(const BasicBlock& block) const;
  const BasicBlock* meetingPoint(const BasicBlock* block) const;
  void findLoopConditions();

  const ShapeHints& hints_;
  profile::KernelShape& to_;
  DominatorTree dominators_;
  PostDominatorTree postDominators_;
  LoopInfo loops_;
  profile::BlockShape* shape_ = nullptr;
  DenseMap<const Value*, int> numbers_;
  DenseMap<const BasicBlock*, SmallVector<const Instruction*, 2>>
      early_; ///< by a loop's first block
  SmallPtrSet<const Instruction*, 8> isEarly_;
};

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

/// ptxas counts a loop's turns and compares at its beginning, so that the branch at its end finds
/// the outcome.
void Builder::findLoopConditions() {
  for (const Loop* loop : loops_.getLoopsInPreorder()) {
    const BasicBlock* last = loop->getLoopLatch();
    const BasicBlock* first = loop->getHeader();
    const auto* branch = last == nullptr ? nullptr : dyn_cast<BranchInst>(last->getTerminator());
    if (branch == nullptr || !branch->isConditional() || last == first)
      continue;
    for (const Instruction* instruction : loopCondition(*branch, dominators_, *first)) {
      early_[first].push_back(instruction);
      isEarly_.insert(instruction);
    }
  }
}

/// Where two sides of a branch meet: to jump here, or to wait here for the other side, takes time.
/// A loop's first block is no such place: it follows what comes before it.
bool Builder::isJoin(const BasicBlock& block) const {
  return block.hasNPredecessorsOrMore(2) &&
         none_of(predecessors(&block),
                 [&](const BasicBlock* from) { return dominators_.dominates(&block, from); });
}

/// Where the sides of a branch inside a loop's turn meet again; nothing for one that leaves the
/// loop or goes round.
const BasicBlock* Builder::meetingPoint(const BasicBlock* block) const {
  const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return nullptr;
  const Loop* loop = loops_.getLoopFor(block);
  for (const BasicBlock* next : successors(block))
    if (loop != nullptr && (!loop->contains(next) || next == loop->getHeader()))
      return nullptr;
  const auto* after = postDominators_.getNode(block)->getIDom();
  return after == nullptr ? nullptr : after->getBlock();
}

/// Casts, freezes and constant offsets: their value is there when their operand is.
bool Builder::isPassedOn(const Instruction& instruction) const {
  if (hints_.isFree(instruction) && instruction.getNumOperands() > 0)
    return true;
  if (isa<SExtInst, ZExtInst, TruncInst, BitCastInst, PtrToIntInst, IntToPtrInst, AddrSpaceCastInst,
          FreezeInst, ExtractValueInst, ExtractElementInst>(instruction))
    return !instruction.getOperand(0)->getType()->isIntegerTy(1);
  if (instruction.getOpcode() == Instruction::FNeg)
    return true;
  const auto* address = dyn_cast<GetElementPtrInst>(&instruction);
  return address != nullptr && address->hasAllConstantIndices();
}

int Builder::numberOf(const Value* value) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr)
    return profile::noValue; // constants and arguments are there from the beginning
  if (isPassedOn(*instruction))
    return numberOf(instruction->getOperand(0));
  const auto [place, isNew] = numbers_.try_emplace(value, to_.values);
  to_.values += isNew ? 1 : 0;
  return place->second;
}

/// The multiplication that becomes one instruction with this addition, or nothing.
const Instruction* Builder::fusedProduct(const Instruction& sum) {
  if ((sum.getOpcode() != Instruction::FAdd && sum.getOpcode() != Instruction::FSub) ||
      !sum.hasAllowContract())
    return nullptr;
  for (const Value* operand : sum.operands()) {
    const auto* product = dyn_cast<BinaryOperator>(operand);
    if (product != nullptr && product->getOpcode() == Instruction::FMul &&
        product->hasAllowContract() && product->hasOneUse() &&
        product->getParent() == sum.getParent())
      return product;
  }
  return nullptr;
}

bool Builder::isFused(const Instruction& product) {
  if (product.getOpcode() != Instruction::FMul || !product.hasOneUse())
    return false;
  const auto* user = dyn_cast<Instruction>(*product.user_begin());
  return user != nullptr && fusedProduct(*user) == &product;
}

Builder::Operands Builder::operandsOf(const Instruction& instruction) {
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

void Builder::emit(Step step, ArrayRef<int> operands) {
  for (std::size_t i = 0; i < std::min(operands.size(), step.operands.size()); ++i)
    step.operands[i] = operands[i];
  shape_->steps.push_back(step);
}

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

/// More places than a step has operands become several steps.
void Builder::merge(const PHINode& phi) {
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

/// Integer division has no instruction. By a constant it is a multiplication and shifts; otherwise
/// it goes through an approximate reciprocal, back, and corrects. The reciprocal of what a loop
/// does not change is made in front of it.
void Builder::addDivision(const Instruction& instruction) {
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
  const Loop* loop = loops_.getLoopFor(instruction.getParent());
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

void Builder::addFloatDivision(const Instruction& instruction) {
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

void Builder::addArithmetic(const Instruction& instruction) {
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

void Builder::addMath(const CallInst& call) {
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

/// Whether some lanes of a warp may be elsewhere.
bool Builder::isDivided(const BasicBlock& block) const {
  const auto* node = dominators_.getNode(&block);
  for (node = node->getIDom(); node != nullptr; node = node->getIDom()) {
    const auto* branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
    if (branch != nullptr && branch->isConditional() &&
        !postDominators_.dominates(&block, node->getBlock()) &&
        !hints_.isUniform(*branch->getCondition()))
      return true;
  }
  return false;
}

/// Lanes that do something together must be there: the first operation of a block looks whether
/// they are, and waits for those that only a variable names.
void Builder::gatherFor(const CallInst& call) {
  const bool maskIsLast = call.getCalledFunction()->getName().contains(".redux.");
  const Value* mask = call.getArgOperand(maskIsLast ? 1 : 0);
  const auto isGather = [](const Step& step) { return step.kind == StepKind::Gather; };
  if (any_of(shape_->steps, isGather))
    return;
  if (!isa<Constant>(mask))
    emit({.kind = StepKind::Gather, .unit = Unit::Control, .issues = 2}, {});
  else if (isDivided(*call.getParent()))
    emit({.kind = StepKind::Gather, .unit = Unit::Control}, {});
}

void Builder::addCall(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  const StringRef name = callee == nullptr ? "" : callee->getName();
  Step step{.unit = Unit::Int32, .result = numberOf(&call)};
  if (hints_.isBarrier(call))
    return emit({.kind = StepKind::Barrier, .unit = Unit::Control}, {});
  if (name.starts_with("llvm.nvvm.") && name.contains(".sync"))
    gatherFor(call);
  if (name.contains("read.ptx.sreg"))
    return emit(step, {});
  if (name.contains(".shfl.") || name.contains(".match.") || name.contains(".redux.")) {
    step.kind = StepKind::Access;
    step.unit = Unit::Shuffle;
    step.space = profile::MemorySpace::Shared;
    return emit(step, operandsOf(call));
  }
  if (name.contains(".membar.") || name.contains(".fence."))
    return emit({.kind = StepKind::Fence, .unit = Unit::Control}, {});
  if (name.starts_with("heddle.barrier.")) {
    step.unit = Unit::BarrierResult;
    return emit(step, {});
  }
  if (name.contains(".vote.")) {
    step.unit = Unit::Vote;
    step.waitsForPredicate = true;
    return emit(step, operandsOf(call));
  }
  if (name.contains("activemask") || name.contains("bar.warp.sync"))
    return emit(step, operandsOf(call));
  if (isBuiltinCall(call))
    return addMath(call);
  step.unit = Unit::Control;
  step.issues = issuesOfCall;
  emit(step, operandsOf(call));
}

/// From a struct that the kernel got by value, in a function that it calls too: instructions read
/// it from the constant bank themselves.
bool isOfArgument(const Value& pointer, int mostCalls = 4) {
  const auto* base = dyn_cast<Argument>(pointer.stripInBoundsConstantOffsets());
  if (base == nullptr || base->hasByValAttr() || mostCalls == 0)
    return base != nullptr && base->hasByValAttr();
  const Function* function = base->getParent();
  return !function->use_empty() && all_of(function->uses(), [&](const Use& use) {
    const auto* call = dyn_cast<CallBase>(use.getUser());
    return call != nullptr && call->isCallee(&use) &&
           isOfArgument(*call->getArgOperand(base->getArgNo()), mostCalls - 1);
  });
}

void Builder::addAccess(const Instruction& instruction, int site, profile::AccessKind kind) {
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  Type* type = instruction.getType();
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
    type = store->getValueOperand()->getType();
  } else if (const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    pointer = atomic->getPointerOperand();
  } else if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    pointer = exchange->getPointerOperand();
    type = exchange->getCompareOperand()->getType();
  }
  const auto& layout = instruction.getModule()->getDataLayout();
  Step step{.kind = StepKind::Access,
            .unit = Unit::LoadStore,
            .access = kind,
            .bytes = std::uint16_t(std::min<std::uint64_t>(layout.getTypeStoreSize(type), 0xffff)),
            .site = site,
            .result =
                instruction.getType()->isVoidTy() ? profile::noValue : numberOf(&instruction)};
  if (pointer->getType()->getPointerAddressSpace() == constantAddressSpace)
    step.space = profile::MemorySpace::Shared; // a cache of its own, about as near
  if (isOfArgument(*pointer))
    step.issues = 0;
  emit(step, operandsOf(instruction));
}

/// A machine has seven predicates, so that few comparisons outlive their block: a branch that needs
/// one from elsewhere makes it again, and loads the kernel's arguments for that.
int Builder::compareAgain(const CmpInst& comparison) {
  Operands operands;
  for (const Value* operand : comparison.operands()) {
    if (!isa<Argument>(operand)) {
      operands.push_back(numberOf(operand));
      continue;
    }
    operands.push_back(to_.values++);
    emit({.kind = StepKind::Access,
          .unit = Unit::LoadStore,
          .space = profile::MemorySpace::Shared, // constants lie about as near
          .bytes = 4,
          .result = operands.back()},
         {});
  }
  const int result = to_.values++;
  emit({.unit = Unit::Int32, .result = result}, operands);
  return result;
}

void Builder::addBranch(const BranchInst& branch) {
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
  const auto* above = dominators_.getNode(branch.getParent())->getIDom();
  while (above != nullptr && above->getBlock()->getSingleSuccessor() != nullptr)
    above = above->getIDom();
  if (meeting != nullptr && (above == nullptr || meetingPoint(above->getBlock()) != meeting))
    step.marksMeeting = true;
  const auto* comparison = dyn_cast<CmpInst>(branch.getCondition());
  if (comparison != nullptr && comparison->getParent() != branch.getParent())
    return emit(step, {compareAgain(*comparison)});
  emit(step, operandsOf(branch));
}

void Builder::addInstruction(const Instruction& instruction) {
  if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd() ||
      isa<AllocaInst, UnreachableInst>(instruction) || isPassedOn(instruction) ||
      isFused(instruction))
    return;
  if (const auto* phi = dyn_cast<PHINode>(&instruction))
    return merge(*phi);
  if (isa<LoadInst>(instruction))
    return addAccess(instruction, hints_.siteOf(instruction), profile::AccessKind::Load);
  if (isa<StoreInst>(instruction))
    return addAccess(instruction, hints_.siteOf(instruction), profile::AccessKind::Store);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return addAccess(instruction, hints_.siteOf(instruction), profile::AccessKind::Atomic);
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

void Builder::add(const BasicBlock& block) {
  shape_ = &to_.blocks.emplace_back();
  for (const Instruction& instruction : block) {
    if (instruction.isTerminator())
      for (const Instruction* early : early_.lookup(&block))
        addInstruction(*early);
    if (!isEarly_.contains(&instruction))
      addInstruction(instruction);
  }
  scheduleSteps(shape_->steps);
}

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
bool canBePredicated(ArrayRef<profile::BlockShape*> sides) {
  constexpr int longest = 14;
  int issues = 0;
  for (const profile::BlockShape* side : sides)
    for (const Step& step : side->steps) {
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
  if (int* free = find(step.operands, profile::noValue); free != step.operands.end())
    *free = value;
}

/// Both sides run behind the condition, and then what follows them, in one sequence. Sides with
/// accesses stay where they are, since only one that some lane takes moves bytes.
void runBothSides(profile::BlockShape& head, ArrayRef<profile::BlockShape*> sides, int copies,
                  profile::BlockShape* join, profile::KernelShape& to) {
  for (profile::BlockShape* side : sides)
    dropBranch(side->steps);
  const auto isAccess = [](const Step& step) { return step.kind == StepKind::Access; };
  if (any_of(sides, [&](const auto* side) { return any_of(side->steps, isAccess); })) {
    head.steps.back().kind = StepKind::Compute; // waits for the condition
    head.steps.back().issues = 0;
    return;
  }
  Step& condition = head.steps.back(); // from here on it only says when the lanes are known
  condition = {.kind = StepKind::Merge,
               .issues = 0,
               .waitsForPredicate = true,
               .result = to.values++,
               .operands = condition.operands};
  std::vector<Step> all = head.steps;
  for (profile::BlockShape* side : sides)
    for (Step step : side->steps) {
      addOperand(step, condition.result);
      all.push_back(step);
    }
  for (int i = 0; i < copies; ++i)
    all.push_back({.unit = Unit::IntAdd, .operands = head.steps.back().operands});
  if (join != nullptr) {
    append_range(all, join->issued());
    join->isShortSide = true;
  }
  scheduleSteps(all);
  head.withSides = std::move(all);
  for (profile::BlockShape* side : sides)
    side->isShortSide = true;
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

/// Short branches become lanes switched off.
void predicate(ArrayRef<BasicBlock*> blocks, std::size_t first, profile::KernelShape& to) {
  DenseMap<const BasicBlock*, profile::BlockShape*> shapes;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    shapes[blocks[i]] = &to.blocks[first + i];
  for (const BasicBlock* block : reverse(blocks)) { // what follows a branch before the branch
    const SmallVector<const BasicBlock*, 2> found = shortSides(*block);
    SmallVector<profile::BlockShape*, 2> sides;
    for (const BasicBlock* side : found)
      sides.push_back(shapes.lookup(side));
    if (!sides.empty() && !is_contained(sides, nullptr) && canBePredicated(sides))
      runBothSides(*shapes[block], sides, countCopies(found), shapes.lookup(joinOf(*block, found)),
                   to);
  }
}

void Builder::addAlone(const Instruction& instruction) {
  shape_ = &to_.blocks.emplace_back();
  addInstruction(instruction);
}

} // namespace

void addShapes(ArrayRef<BasicBlock*> blocks, const ShapeHints& hints, profile::KernelShape& to) {
  if (blocks.empty())
    return;
  Builder builder(*blocks.front()->getParent(), hints, to);
  const std::size_t first = to.blocks.size();
  for (const BasicBlock* block : blocks)
    builder.add(*block);
  predicate(blocks, first, to);
}

int sequenceLength(const Instruction& instruction) {
  if (!isDivision(instruction) && instruction.getOpcode() != Instruction::FDiv &&
      !isBuiltinCall(instruction))
    return 1;
  const auto no = [](const Instruction&) { return false; };
  const auto noSite = [](const Instruction&) { return -1; };
  profile::KernelShape shape;
  const auto none = [](const Value&) { return false; };
  Builder(*instruction.getFunction(), ShapeHints{noSite, no, no, none}, shape)
      .addAlone(instruction);
  int length = 0;
  for (const Step& step : shape.blocks.front().steps)
    length += step.issues;
  return length;
}

} // namespace heddle::analysis
