// SPDX-License-Identifier: Apache-2.0
#include "engine/FrameLayout.h"

#include "engine/AddressMap.h"
#include "engine/WarpFrame.h"
#include "support/LaneMask.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::engine {
namespace {

constexpr unsigned sharedAddressSpace = 3;

unsigned alignTo(unsigned value, unsigned unit) {
  return (value + unit - 1) / unit * unit;
}

bool readsBlockIdentity(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return true;
  default:
    return false;
  }
}

/// Whether a value is needed outside the block that computes it. A phi reads its value at the end
/// of the block it comes from.
bool leavesItsBlock(const llvm::Instruction& instruction) {
  const llvm::BasicBlock* home = instruction.getParent();
  for (const llvm::Use& use : instruction.uses()) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const llvm::BasicBlock* place = phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
    if (place != home)
      return true;
  }
  return false;
}

} // namespace

llvm::Type* FrameLayout::argumentType(const llvm::Argument& argument) {
  return argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
}

FrameLayout::FrameLayout(llvm::Function& kernel)
    : types_(kernel.getParent()->getDataLayout()), frameSize_(sizeof(WarpContext)) {
  numberBlocks(kernel);
  placeArguments(kernel);
  placeShared(*kernel.getParent());
  placeValues();
}

void FrameLayout::numberBlocks(llvm::Function& kernel) {
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&kernel)) {
    numbers_[block] = static_cast<int>(blocks_.size());
    blocks_.push_back(block);
  }
}

void FrameLayout::placeArguments(llvm::Function& kernel) {
  for (llvm::Argument& argument : kernel.args()) {
    llvm::Type* type = argumentType(argument);
    argumentSize_ = alignTo(argumentSize_, unsigned(types_.getABITypeAlign(type).value()));
    arguments_[&argument] = argumentSize_;
    argumentSize_ += unsigned(types_.getTypeAllocSize(type));
  }
}

void FrameLayout::placeShared(const llvm::Module& module) {
  std::vector<const llvm::GlobalVariable*> dynamic; // extern __shared__ arrays: all at the end
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != sharedAddressSpace)
      continue;
    const auto size = unsigned(types_.getTypeAllocSize(variable.getValueType()));
    if (size == 0) {
      dynamic.push_back(&variable);
      continue;
    }
    sharedSize_ = alignTo(sharedSize_, 16);
    shared_[&variable] = sharedSize_;
    sharedSize_ += size;
  }
  sharedSize_ = alignTo(sharedSize_, 16);
  for (const llvm::GlobalVariable* variable : dynamic)
    shared_[variable] = sharedSize_;
}

bool FrameLayout::computedUniform(const llvm::Instruction& instruction) const {
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return readsBlockIdentity(call->getIntrinsicID());
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isTerminator() ||
      instruction.mayReadOrWriteMemory())
    return false;
  for (const llvm::Value* operand : instruction.operands())
    if (!isUniform(operand))
      return false;
  return true;
}

bool FrameLayout::isUniform(const llvm::Value* value) const {
  return llvm::isa<llvm::Constant, llvm::Argument>(value) || uniform_.contains(value);
}

void FrameLayout::placeValues() {
  for (llvm::BasicBlock* block : blocks_)
    for (llvm::Instruction& instruction : *block) {
      if (computedUniform(instruction))
        uniform_.insert(&instruction);
      placeValue(instruction);
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        localSize_ = alignTo(localSize_, 16);
        local_[variable] = localSize_;
        localSize_ += unsigned(types_.getTypeAllocSize(variable->getAllocatedType()));
      }
    }
  localSize_ = alignTo(localSize_, 16);
}

void FrameLayout::placeValue(llvm::Instruction& instruction) {
  const bool needed = llvm::isa<llvm::PHINode>(instruction) || leavesItsBlock(instruction);
  if (!needed || instruction.getType()->isVoidTy())
    return;
  llvm::Type* type = instruction.getType();
  const unsigned lanes = isUniform(&instruction) ? 1 : unsigned(warpSize);
  const unsigned size = type->isIntegerTy(1) ? 4 : unsigned(types_.getTypeAllocSize(type)) * lanes;
  frameSize_ = alignTo(frameSize_, alignment);
  slots_[&instruction] = frameSize_;
  frameSize_ += size;
}

unsigned FrameLayout::addSiteCache() {
  frameSize_ = alignTo(frameSize_, alignof(SiteCache));
  const unsigned place = frameSize_;
  if (firstSiteCache_ == 0)
    firstSiteCache_ = place;
  frameSize_ += sizeof(SiteCache);
  return place;
}

} // namespace heddle::engine
