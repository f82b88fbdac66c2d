// SPDX-License-Identifier: Apache-2.0
#include "engine/FrameLayout.h"

#include "engine/PrepareKernel.h"
#include "support/LaneMask.h"

namespace heddle::engine {
namespace {

unsigned alignTo(unsigned value, unsigned unit) {
  return (value + unit - 1) / unit * unit;
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

/// A phi is written by the blocks it comes from, and the result of a call by the callee.
bool needsSlot(const llvm::Instruction& instruction) {
  return !instruction.getType()->isVoidTy() &&
         (llvm::isa<llvm::PHINode>(instruction) || isRealCall(instruction) ||
          leavesItsBlock(instruction));
}

void collectParts(llvm::Type* type, const llvm::DataLayout& types, std::vector<Part>& parts,
                  unsigned& offset) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (llvm::Type* element : structure->elements())
      collectParts(element, types, parts, offset);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      collectParts(array->getElementType(), types, parts, offset);
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      collectParts(vector->getElementType(), types, parts, offset);
  } else {
    parts.push_back({type, offset});
    const unsigned lane = type->isIntegerTy(1) ? 0 : unsigned(types.getTypeAllocSize(type));
    offset += alignTo(std::max(lane * unsigned(warpSize), 4u), slotAlignment);
  }
}

} // namespace

std::vector<Part> partsOf(llvm::Type* type, const llvm::DataLayout& types) {
  std::vector<Part> parts;
  unsigned offset = 0;
  collectParts(type, types, parts, offset);
  return parts;
}

unsigned slotSize(llvm::Type* type, const llvm::DataLayout& types) {
  std::vector<Part> parts;
  unsigned offset = 0;
  collectParts(type, types, parts, offset);
  return offset;
}

FrameLayout::FrameLayout(llvm::Function& function, bool isKernel)
    : types_(function.getParent()->getDataLayout()), isKernel_(isKernel), flow_(function),
      joins_(analysis::findJoins(flow_, isKernel)), uniformity_(flow_, joins_, isKernel) {
  placeUniform();
  placeArguments(function);
  placeLanes();
  placeLocal();
}

void FrameLayout::placeUniform() {
  for (const llvm::BasicBlock* block : flow_.blocks)
    for (const llvm::Instruction& instruction : *block) {
      if (!needsSlot(instruction) || !isUniform(&instruction))
        continue;
      const auto size = unsigned(types_.getTypeAllocSize(instruction.getType()));
      frameSize_ = alignTo(frameSize_, std::max(size, 1u));
      slots_[&instruction] = frameSize_;
      frameSize_ += size;
    }
  frameSize_ = alignTo(frameSize_, slotAlignment);
}

void FrameLayout::placeArguments(llvm::Function& function) {
  argumentsBegin_ = frameSize_;
  if (isKernel_)
    return;
  for (const llvm::Argument& argument : function.args()) {
    slots_[&argument] = frameSize_;
    frameSize_ += slotSize(argument.getType(), types_);
  }
  argumentsSize_ = frameSize_ - argumentsBegin_;
}

void FrameLayout::placeLanes() {
  for (const llvm::BasicBlock* block : flow_.blocks)
    for (const llvm::Instruction& instruction : *block) {
      if (!needsSlot(instruction) || isUniform(&instruction))
        continue;
      slots_[&instruction] = frameSize_;
      frameSize_ += slotSize(instruction.getType(), types_);
    }
}

void FrameLayout::placeLocal() {
  unsigned alignment = 16;
  for (const llvm::BasicBlock* block : flow_.blocks)
    for (const llvm::Instruction& instruction : *block)
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        const unsigned wanted = std::max(16u, unsigned(variable->getAlign().value()));
        alignment = std::max(alignment, wanted);
        localSize_ = alignTo(localSize_, wanted);
        local_[variable] = localSize_;
        localSize_ += unsigned(types_.getTypeAllocSize(variable->getAllocatedType()));
      }
  localSize_ = alignTo(localSize_, alignment);
  localBegin_ = alignTo(frameSize_, alignment);
  frameSize_ = alignTo(localBegin_ + localSize_ * unsigned(warpSize), slotAlignment);
}

llvm::Type* ArgumentLayout::typeOf(const llvm::Argument& argument) {
  return argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
}

ArgumentLayout::ArgumentLayout(llvm::Function& kernel) {
  const llvm::DataLayout& types = kernel.getParent()->getDataLayout();
  for (const llvm::Argument& argument : kernel.args()) {
    llvm::Type* type = typeOf(argument);
    unsigned wanted = unsigned(types.getABITypeAlign(type).value());
    if (const llvm::MaybeAlign stated = argument.getParamAlign())
      wanted = std::max(wanted, unsigned(stated->value()));
    alignment = std::max(alignment, wanted);
    size = alignTo(size, wanted);
    offsets.push_back(size);
    sizes.push_back(unsigned(types.getTypeAllocSize(type)));
    size += sizes.back();
  }
}

SharedLayout::SharedLayout(const llvm::Module& module) {
  const llvm::DataLayout& types = module.getDataLayout();
  std::vector<const llvm::GlobalVariable*> dynamic;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != sharedAddressSpace)
      continue;
    variable.removeDeadConstantUsers();
    if (variable.use_empty())
      continue;
    const auto bytes = unsigned(types.getTypeAllocSize(variable.getValueType()));
    if (bytes == 0) {
      dynamic.push_back(&variable);
      continue;
    }
    size = alignTo(size, std::max(16u, unsigned(variable.getAlign().valueOrOne().value())));
    offsets[&variable] = size;
    size += bytes;
  }
  size = alignTo(size, 16);
  for (const llvm::GlobalVariable* variable : dynamic)
    offsets[variable] = size;
}

} // namespace heddle::engine
