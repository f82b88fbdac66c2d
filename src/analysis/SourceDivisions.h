// SPDX-License-Identifier: Apache-2.0
//
// Divisions that clang has found a mask or a shift for, where nvcc does not: by a variable that is
// a power of two because a loop doubles it. What is written `%` or `/` there is marked, so that it
// counts as the division that a GPU runs.
#pragma once

#include "profile/SourceLines.h"

#include <llvm/IR/Module.h>

namespace heddle::analysis {

/// Reads the source where the line table says; what cannot be read marks nothing.
void markDivisions(llvm::Module& module, profile::SourceLines& source);

/// Whether an instruction divides: as one, or marked as one.
bool isDivision(const llvm::Instruction& instruction);

} // namespace heddle::analysis
