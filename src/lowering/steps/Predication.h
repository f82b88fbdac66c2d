// SPDX-License-Identifier: Apache-2.0
//
// Short branches become lanes that are switched off: both sides run, one behind the other.
#pragma once

#include "profile/KernelTrace.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/BasicBlock.h>

#include <cstddef>

namespace heddle::lowering {

/// Of blocks whose shapes stand in `to` from `first` on, in the same order.
void predicateShortSides(llvm::ArrayRef<llvm::BasicBlock*> blocks, std::size_t first,
                         profile::KernelShape& to);

} // namespace heddle::lowering
