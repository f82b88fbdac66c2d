// SPDX-License-Identifier: Apache-2.0
#include "engine/BlocksMeet.h"

#include "engine/AddressGroups.h"
#include "engine/FrameLayout.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace heddle::engine {
namespace {

bool isShared(const llvm::Value& pointer) {
  return pointer.getType()->getPointerAddressSpace() == sharedAddressSpace ||
         llvm::getUnderlyingObject(&pointer)->getType()->getPointerAddressSpace() ==
             sharedAddressSpace;
}

/// Whether the same comes of it in any order.
bool isInAnyOrder(const llvm::AtomicRMWInst& atomic) {
  using Rmw = llvm::AtomicRMWInst;
  if (!atomic.use_empty() || atomic.isVolatile() || !atomic.getType()->isIntegerTy())
    return false;
  switch (atomic.getOperation()) {
  case Rmw::Add:
  case Rmw::Sub:
  case Rmw::And:
  case Rmw::Or:
  case Rmw::Xor:
  case Rmw::Max:
  case Rmw::Min:
  case Rmw::UMax:
  case Rmw::UMin:
    return true;
  default:
    return false;
  }
}

} // namespace

bool blocksMeet(const std::vector<llvm::Function*>& functions) {
  for (const llvm::Function* function : functions)
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const MemoryOperand operand = memoryOperand(instruction);
      if (operand.pointer == nullptr || isShared(*operand.pointer))
        continue;
      const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      if (atomic != nullptr ? !isInAnyOrder(*atomic)
                            : instruction.isVolatile() || instruction.isAtomic())
        return true;
    }
  return false;
}

} // namespace heddle::engine
