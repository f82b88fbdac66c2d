// SPDX-License-Identifier: Apache-2.0
//
// Short branches become lanes that are switched off: both sides run, one behind the other.
#pragma once

#include "lowering/steps/BlockSteps.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/BasicBlock.h>

namespace heddle::lowering {

/// `steps` are those of the blocks, in the same order. `values`: how many numbers are in use.
void predicateShortSides(llvm::ArrayRef<llvm::BasicBlock*> blocks, std::vector<BlockSteps>& steps,
                         int& values);

} // namespace heddle::lowering
