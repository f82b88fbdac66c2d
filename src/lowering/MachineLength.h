// SPDX-License-Identifier: Apache-2.0
//
// How many machine instructions ptxas makes of one instruction of the IR, for the account of lanes.
// The IR is not machine code: some of it is free (casts, constant offsets), some is one instruction
// with its neighbour (a multiplication and the addition behind it, two logic operations, a mask and
// its test against zero), 64-bit integers take two, and a division or a library function is a
// sequence. Lengths were read from machine code that nvcc 13.0 makes for sm_90.
#pragma once

#include "lowering/FlowFacts.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instruction.h>

namespace heddle::lowering {

/// Jumps that do not choose count nothing here; AccountLengths.h knows where they are.
int machineLength(const llvm::Instruction& instruction, const FlowFacts& flow,
                  llvm::function_ref<bool(const llvm::Value&)> isUniform);

} // namespace heddle::lowering
