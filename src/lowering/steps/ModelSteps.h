// SPDX-License-Identifier: Apache-2.0
//
// What the instructions of a basic block ask of a multiprocessor: which unit, how many machine
// instructions, which of them wait for which. The IR is not machine code: casts, phis and constant
// offsets are free, a multiplication that only feeds an addition is one with it, and a division or
// a library function is the sequence that stands for it (MathCosts.h). docs/design/timing.md says
// how far that is from what ptxas makes.
#pragma once

#include "lowering/FlowFacts.h"
#include "lowering/InstructionFacts.h"
#include "lowering/steps/BlockSteps.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/BasicBlock.h>

namespace heddle::lowering {

/// Of a function's blocks. `values`: how many numbers of values are in use.
std::vector<BlockSteps> modelSteps(llvm::ArrayRef<llvm::BasicBlock*> blocks,
                                   const InstructionFacts& facts, int& values);

/// Machine instructions of a division or a library function, which are sequences; 1 for all else.
int sequenceLength(const llvm::Instruction& instruction, const FlowFacts& flow);

} // namespace heddle::lowering
