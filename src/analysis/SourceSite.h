// SPDX-License-Identifier: Apache-2.0
//
// Where the instructions of a kernel stand in its source.
#pragma once

#include "profile/KernelProfile.h"

#include <llvm/IR/Instruction.h>

namespace heddle::analysis {

/// Where an instruction comes from, with the calls that were inlined; where the compiler has
/// forgotten it, the nearest place it knows. Empty only for a function without a line table.
profile::Site siteOf(const llvm::Instruction& instruction);

/// Whether it comes from a header that stands for one of the toolkit's.
bool isInToolkitHeader(const llvm::Instruction& instruction);

} // namespace heddle::analysis
