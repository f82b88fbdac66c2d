// SPDX-License-Identifier: Apache-2.0
//
// Turns a kernel as the compiler leaves it into the form the block compiler takes: one function, no
// calls to other device functions, two-way branches only, one exit, every barrier at the end of its
// block.
#pragma once

#include "support/Error.h"

#include <llvm/IR/Function.h>

namespace heddle::engine {

/// Changes the module in place. Refuses kernels with calls that cannot be inlined.
Expected<void> prepareKernel(llvm::Function& kernel);

/// Whether an instruction is the block-wide barrier.
bool isBarrier(const llvm::Instruction& instruction);

} // namespace heddle::engine
