// SPDX-License-Identifier: Apache-2.0
#include "analysis/WorkQueue.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace heddle::analysis {
namespace {

constexpr unsigned sharedAddressSpace = 3;

/// What is stored in the variable that a load reads; nothing for memory that is not a variable.
llvm::SmallVector<const llvm::Value*, 4> storedFor(const llvm::LoadInst& load) {
  const llvm::Value* object = llvm::getUnderlyingObject(load.getPointerOperand());
  llvm::SmallVector<const llvm::Value*, 4> stored;
  if (!llvm::isa<llvm::GlobalVariable>(object))
    return stored;
  for (const llvm::BasicBlock& block : *load.getFunction())
    for (const llvm::Instruction& each : block)
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&each);
          store != nullptr && llvm::getUnderlyingObject(store->getPointerOperand()) == object)
        stored.push_back(store->getValueOperand());
  return stored;
}

/// Whether a value is made of another one, in whatever way: a shuffle or a variable in shared
/// memory hands it on, too.
bool dependsOn(const llvm::Value* value, const llvm::Instruction* source) {
  llvm::SmallPtrSet<const llvm::Value*, 32> seen;
  llvm::SmallVector<const llvm::Value*, 32> work = {value};
  while (!work.empty()) {
    const llvm::Value* at = work.pop_back_val();
    if (at == source)
      return true;
    const auto* made = llvm::dyn_cast<llvm::Instruction>(at);
    if (made == nullptr || !seen.insert(at).second)
      continue;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(made))
      work.append(storedFor(*load));
    else
      work.append(made->op_begin(), made->op_end());
  }
  return false;
}

/// As far as it can be seen.
bool isInSharedMemory(const llvm::AtomicRMWInst& taken) {
  const llvm::Value* object = llvm::getUnderlyingObject(taken.getPointerOperand());
  return object->getType()->getPointerAddressSpace() == sharedAddressSpace;
}

bool endsLoop(const llvm::AtomicRMWInst& taken, const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  loop.getExitingBlocks(exits);
  return llvm::any_of(exits, [&](const llvm::BasicBlock* block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    return branch != nullptr && branch->isConditional() &&
           dependsOn(branch->getCondition(), &taken);
  });
}

} // namespace

profile::WorkCounter takesWork(const llvm::Function& function, const llvm::LoopInfo& loops) {
  using profile::WorkCounter;
  WorkCounter found = WorkCounter::None;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const auto* taken = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      if (taken == nullptr || taken->getOperation() != llvm::AtomicRMWInst::Add ||
          taken->use_empty())
        continue;
      for (const llvm::Loop* loop = loops.getLoopFor(&block); loop != nullptr;
           loop = loop->getParentLoop())
        if (endsLoop(*taken, *loop))
          found = std::max(found, isInSharedMemory(*taken) ? WorkCounter::OfBlocks
                                                           : WorkCounter::OfTheGrid);
    }
  return found;
}

} // namespace heddle::analysis
