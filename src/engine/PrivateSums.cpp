// SPDX-License-Identifier: Apache-2.0
#include "engine/PrivateSums.h"

#include "engine/AddressGroups.h"
#include "engine/FrameLayout.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <atomic>
#include <cstring>

namespace heddle::engine {
namespace {

bool isFence(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  switch (call != nullptr ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
  case llvm::Intrinsic::nvvm_membar_cta:
  case llvm::Intrinsic::nvvm_membar_gl:
  case llvm::Intrinsic::nvvm_membar_sys:
    return true;
  default:
    return llvm::isa<llvm::FenceInst>(instruction);
  }
}

/// An access that may order others, or see others' in some order; shared memory is one worker's.
bool isOrdered(const llvm::Instruction& instruction) {
  const MemoryOperand operand = memoryOperand(instruction);
  if (operand.pointer == nullptr)
    return false;
  const llvm::Value* object = llvm::getUnderlyingObject(operand.pointer);
  if (operand.pointer->getType()->getPointerAddressSpace() == sharedAddressSpace ||
      object->getType()->getPointerAddressSpace() == sharedAddressSpace)
    return false;
  return instruction.isVolatile() || (instruction.isAtomic() && !isSum(instruction));
}

template <class Word> void addWords(std::uint64_t to, std::uint64_t size, std::uint64_t* from) {
  for (std::uint64_t offset = 0; offset + sizeof(Word) <= size; offset += sizeof(Word)) {
    std::byte* place = reinterpret_cast<std::byte*>(from) + offset;
    Word sum;
    std::memcpy(&sum, place, sizeof sum);
    if (sum != 0)
      std::atomic_ref(*reinterpret_cast<Word*>(to + offset))
          .fetch_add(sum, std::memory_order_relaxed);
  }
  std::memset(from, 0, size);
}

} // namespace

bool maySumPrivately(const std::vector<llvm::Function*>& functions) {
  const llvm::Type* word = nullptr;
  for (const llvm::Function* function : functions)
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      if (isFence(instruction) || isOrdered(instruction))
        return false;
      if (!isSum(instruction))
        continue;
      if (word != nullptr && word != instruction.getType()) // a carry would be lost
        return false;
      word = instruction.getType();
    }
  return word != nullptr;
}

void PrivateSums::start(std::uint64_t begin, std::uint64_t size, unsigned wordBytes) {
  mirror_ = std::make_unique<std::uint64_t[]>(size / sizeof(std::uint64_t) + 1);
  wordBytes_ = wordBytes;
  range_ = {.begin = begin,
            .lastOffset = size - wordBytes,
            .shift = reinterpret_cast<std::uint64_t>(mirror_.get()) - begin,
            .wanted = 0};
}

void PrivateSums::giveBack() {
  if (mirror_ == nullptr)
    return;
  const std::uint64_t size = range_.lastOffset + wordBytes_;
  if (wordBytes_ == sizeof(std::uint32_t))
    addWords<std::uint32_t>(range_.begin, size, mirror_.get());
  else
    addWords<std::uint64_t>(range_.begin, size, mirror_.get());
}

void PrivateSums::end() {
  giveBack();
  mirror_.reset();
  range_ = {.wanted = 0};
}

} // namespace heddle::engine
