// SPDX-License-Identifier: Apache-2.0
//
// Calls, what lanes do together, and memory.
#include "lowering/Calls.h"
#include "lowering/StrongLoads.h"
#include "lowering/steps/StepBuilder.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heddle::lowering {
namespace {

using namespace llvm;
using profile::Step;
using profile::StepKind;
using profile::Unit;

constexpr unsigned constantAddressSpace = 4;

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

} // namespace

/// Whether some lanes of a warp may be elsewhere.
bool StepBuilder::isDivided(const BasicBlock& block) const {
  const auto* node = flow_.dominators.getNode(&block);
  for (node = node->getIDom(); node != nullptr; node = node->getIDom()) {
    const auto* branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
    if (branch != nullptr && branch->isConditional() &&
        !flow_.postDominators.dominates(&block, node->getBlock()) &&
        !facts_.isUniform(*branch->getCondition()))
      return true;
  }
  return false;
}

/// Lanes that do something together must be there: the first operation of a block looks whether
/// they are, and waits for those that only a variable names.
void StepBuilder::gatherFor(const CallInst& call) {
  const bool maskIsLast = call.getCalledFunction()->getName().contains(".redux.");
  const Value* mask = call.getArgOperand(maskIsLast ? 1 : 0);
  const auto isGather = [](const Step& step) { return step.kind == StepKind::Gather; };
  if (any_of(*steps_, isGather))
    return;
  if (!isa<Constant>(mask))
    emit({.kind = StepKind::Gather, .unit = Unit::Control, .issues = 2}, {});
  else if (isDivided(*call.getParent()))
    emit({.kind = StepKind::Gather, .unit = Unit::Control}, {});
}

void StepBuilder::addCall(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  const StringRef name = callee == nullptr ? "" : callee->getName();
  Step step{.unit = Unit::Int32, .result = numberOf(&call)};
  if (facts_.isBarrier(call))
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
  step.issues = lengthOfCall;
  emit(step, operandsOf(call));
}

void StepBuilder::addAccess(const Instruction& instruction, profile::AccessKind kind) {
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
            .isStrong = isStrongLoad(instruction),
            .site = facts_.siteOf(instruction),
            .result =
                instruction.getType()->isVoidTy() ? profile::noValue : numberOf(&instruction)};
  if (pointer->getType()->getPointerAddressSpace() == constantAddressSpace)
    step.space = profile::MemorySpace::Shared; // a cache of its own, about as near
  if (isOfArgument(*pointer))
    step.issues = 0;
  emit(step, operandsOf(instruction));
}

} // namespace heddle::lowering
