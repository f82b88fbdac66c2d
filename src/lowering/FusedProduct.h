// SPDX-License-Identifier: Apache-2.0
//
// Which multiplications become one instruction with an addition: the one rule for the steps that
// are timed and for the registers of unrolled loops.
#pragma once

#include <llvm/IR/Instruction.h>

namespace heddle::lowering {

/// The multiplication that becomes one instruction with this addition, or nothing.
const llvm::Instruction* fusedProduct(const llvm::Instruction& sum);

/// Whether it is one that an addition takes in.
bool isFusedProduct(const llvm::Instruction& product);

} // namespace heddle::lowering
