// SPDX-License-Identifier: Apache-2.0
//
// What only the one who runs a kernel knows of its instructions.
#pragma once

#include "profile/KernelTrace.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instruction.h>

namespace heddle::lowering {

struct InstructionFacts {
  llvm::function_ref<int(const llvm::Instruction&)> siteOf;  ///< of a memory access; -1 for none
  llvm::function_ref<profile::MemorySpace(int)> spaceOf;     ///< of a site
  llvm::function_ref<bool(const llvm::Instruction&)> isFree; ///< costs nothing although it may look
  llvm::function_ref<bool(const llvm::Instruction&)> isBarrier;
  llvm::function_ref<bool(const llvm::Value&)> isUniform; ///< in a warp
};

} // namespace heddle::lowering
