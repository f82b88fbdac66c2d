// SPDX-License-Identifier: Apache-2.0
//
// Loads that must see what other multiprocessors have written: their L1 may not answer.
#pragma once

#include <llvm/IR/Instructions.h>

namespace heddle::lowering {

inline bool isStrongLoad(const llvm::Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load != nullptr && (load->isVolatile() || load->isAtomic());
}

} // namespace heddle::lowering
