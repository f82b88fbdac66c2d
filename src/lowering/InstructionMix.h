// SPDX-License-Identifier: Apache-2.0
//
// What the instructions of a basic block ask of a multiprocessor: which unit, how many machine
// instructions, which of them wait for which. The IR is not machine code: casts, phis and constant
// offsets are free, a multiplication that only feeds an addition is one with it, and a division or
// a library function is the sequence that stands for it (MathCosts.h). docs/design/timing.md says
// how far that is from what ptxas makes.
#pragma once

#include "profile/KernelTrace.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/BasicBlock.h>

namespace heddle::lowering {

struct FlowFacts; // FlowFacts.h

/// What only the caller knows of an instruction.
struct ShapeHints {
  llvm::function_ref<int(const llvm::Instruction&)> siteOf;  ///< of a memory access; -1 for none
  llvm::function_ref<bool(const llvm::Instruction&)> isFree; ///< costs nothing although it may look
  llvm::function_ref<bool(const llvm::Instruction&)> isBarrier;
  llvm::function_ref<bool(const llvm::Value&)> isUniform; ///< in a warp
};

/// Appends the shapes of a function's blocks.
void addShapes(llvm::ArrayRef<llvm::BasicBlock*> blocks, const ShapeHints& hints,
               profile::KernelShape& to);

/// Machine instructions of a division or a library function, which are sequences; 1 for all else.
int sequenceLength(const llvm::Instruction& instruction, const FlowFacts& flow);

} // namespace heddle::lowering
